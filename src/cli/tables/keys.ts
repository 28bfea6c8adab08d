/**
 * The commands for reading keys at any revision.
 */
import type { Command } from '../command.ts';

/** In the order in which help lists them. */
export const KEYS_COMMANDS: readonly Command[] = [];
