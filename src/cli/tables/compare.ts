/**
 * The commands for comparing files, and seeing what takes the space.
 */
import type { Command } from '../command.ts';

/** In the order in which help lists them. */
export const COMPARE_COMMANDS: readonly Command[] = [];
