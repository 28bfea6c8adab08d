// Systematic damage to a small file without a stored freelist, as etcd leaves it, and the table of docs/detection.md.
import { describeDamage } from './systematic.ts';

describeDamage('small-512-none');
