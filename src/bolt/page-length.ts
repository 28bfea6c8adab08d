/**
 * How many pages a logical page takes for its content.
 */

/** The pages that content which ends at `end` needs. */
export function pagesNeeded(end: number, pageSize: number): number {
  return Math.max(1, Math.ceil(end / pageSize));
}

/** Whether bbolt takes so many pages for content which ends at `end`. */
export function isUsualLength(pages: number, end: number, pageSize: number): boolean {
  const needed = pagesNeeded(end, pageSize);
  // boltdb before 1.3 took a page more when the content ended exactly at the end of one.
  return pages === needed || (end % pageSize === 0 && pages === needed + 1);
}
