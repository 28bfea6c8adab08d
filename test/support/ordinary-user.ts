// Tests may run as root, to whom permissions mean nothing.
const NOBODY = 65534;

/** Runs `action` (synchronous) as a user whom permissions bind. */
export function asOrdinaryUser<Result>(action: () => Result): Result {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(NOBODY);
  try {
    return action();
  } finally {
    process.seteuid?.(0);
  }
}
