/**
 * The commands for the state of a db as a whole: status, hashes, meta.
 */
import type { Command } from '../command.ts';

/** In the order in which help lists them. */
export const STATE_COMMANDS: readonly Command[] = [];
