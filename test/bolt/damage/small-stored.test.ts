// Systematic damage to a small file with a stored freelist, and the table of docs/detection.md that comes of it.
import { describeDamage } from './systematic.ts';

describeDamage('small-512-stored');
