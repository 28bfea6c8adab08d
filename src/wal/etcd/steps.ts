/**
 * Long readings in pieces, so that whoever drives them can do something else between: generators that pause about every MiB.
 */

/** A reading under way; its return value is the result. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Goes through all steps without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
