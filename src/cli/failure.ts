/**
 * Says why a command ended without doing what it was asked for, and finds the exit code for it.
 */
import { fileURLToPath } from 'node:url';
import { type DatadirError, isDatadirError } from '../errors.ts';
import type { ParsedArguments } from './arguments.ts';
import { EXIT, exitCodeOfError } from './exit-codes.ts';
import { jsonText } from './render/json.ts';
import { visible } from './render/visible.ts';
import { packageVersion } from './version.ts';

/** What is to be printed where, and the exit code. */
export interface Failure {
  readonly exitCode: number;
  /** For standard error. */
  readonly message: string;
  /** For standard output, under `--json`; empty when nothing should be printed. */
  readonly json: string;
}

/** Describes anything that a command has thrown. `parsed` is what is known of the command line. */
export function describeFailure(error: unknown, parsed: ParsedArguments | undefined): Failure {
  if (!isDatadirError(error)) return bug(error);
  const exitCode = exitCodeOfError(error.code);
  if (exitCode === EXIT.bug) return bug(error);
  if (exitCode === EXIT.usage)
    return { exitCode, message: `${withName(error.message)}${whereHelpIs(parsed)}`, json: '' };
  return { exitCode, message: withName(errorText(error)), json: jsonText({ schema: 1, error: errorJson(error) }) };
}

/** The fields of an error in JSON. */
export function errorJson(error: DatadirError): Record<string, unknown> {
  const { code, message, path, offset, pageId, line, column, systemCode, expected, actual } = error;
  const fields = { code, message, path, offset, page: pageId, line, column, systemCode, expected, actual };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The message of an error, with the place if the message does not name it itself. */
export function errorText({ message, path, offset, pageId }: DatadirError): string {
  const place: string[] = [];
  if (path !== undefined && !message.includes(path)) place.push(path);
  if (pageId !== undefined && !message.includes(`page ${pageId}`)) place.push(`page ${pageId}`);
  if (offset !== undefined && !message.includes(`${offset}`)) place.push(`byte ${offset} (0x${offset.toString(16)})`);
  return place.length === 0 ? message : `${place.join(', ')}: ${message}`;
}

function withName(message: string): string {
  return `etcd-datadir: ${visible(message)}\n`;
}

function whereHelpIs(parsed: ParsedArguments | undefined): string {
  const words = parsed?.command === undefined ? '' : ` ${parsed.command.words.join(' ')}`;
  return `'etcd-datadir${words} --help' tells how it is used\n`;
}

function bug(error: unknown): Failure {
  const trace = error instanceof Error ? (error.stack ?? `${error}`) : `${error}`;
  const message = error instanceof Error ? error.message : `${error}`;
  // Where this package is installed is nobody's business.
  const home = fileURLToPath(new URL('../../', import.meta.url));
  const report = [
    'etcd-datadir: this is a bug of etcd-datadir, and says nothing about your data:',
    '',
    trace.replaceAll('file://', '').replaceAll(home, ''),
    '',
    'Please report it, with the lines above, the command that was run (names of files may be replaced), and:',
    `  etcd-datadir ${packageVersion()}, Node ${process.version}, ${process.platform} ${process.arch}`,
    'Do not attach the file itself: it may hold secrets. Your input was not changed.',
    '',
  ];
  return {
    exitCode: EXIT.bug,
    message: report.join('\n'),
    json: jsonText({ schema: 1, error: { code: 'INTERNAL', message } }),
  };
}
