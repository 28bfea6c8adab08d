/**
 * What a worker can be asked to do with a whole data directory.
 */
import type { RunOptions } from '../io/job.ts';
import type { DirectoryRequest } from './messages.ts';

/**
 * Does it. Modules are loaded when they are needed: not every thread needs all of them. Options come from the typed function that
 * made the request.
 */
export async function directoryTask({ task, path, options }: DirectoryRequest, run: RunOptions): Promise<unknown> {
  switch (task) {
    case 'check': {
      const { checkPath } = await import('../files/check-path.ts');
      return checkPath(path, { ...options, ...run });
    }
    case 'validate': {
      const { validate } = await import('../files/validate.ts');
      return validate(path, { ...options, ...run });
    }
    case 'explain': {
      const { explain } = await import('../files/explain.ts');
      return explain(path, { ...options, ...run });
    }
  }
}
