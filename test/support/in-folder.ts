/**
 * Relative paths, as a user gives them: the working directory of the process for the time of a test. Tests run in processes of their own.
 */
export async function inFolder<Result>(folder: string, act: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await act();
  } finally {
    process.chdir(before);
  }
}
