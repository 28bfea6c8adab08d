/**
 * The commands for members, leases, users and alarms.
 */
import type { Command } from '../command.ts';

/** In the order in which help lists them. */
export const MEMBERSHIP_COMMANDS: readonly Command[] = [];
