/** The loaded part of the call log, newest first: older pages are appended, newer calls are prepended. */

/** Consecutive calls, newest first: one page, or all pages loaded so far. */
export interface LoadedCalls<Row> {
  rows: readonly Row[];
  /**
   * Value of `before` for the next page: all calls with this id or a larger one are loaded. Undefined at the end of the
   * log.
   */
  nextBefore: number | undefined;
}

/** Appends an older page. */
export function appendOlder<Row extends { id: number }>(
  log: LoadedCalls<Row>,
  older: LoadedCalls<Row>,
): LoadedCalls<Row> {
  const last = log.rows.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return { rows: [...log.rows, ...older.rows.filter(({ id }) => id < last)], nextBefore: older.nextBefore };
}

/**
 * Prepends the newest page. If that page does not overlap the loaded rows, it replaces them, because the calls between
 * the two would be missing. Scrolling then loads the older rows again.
 */
export function mergeNewest<Row extends { id: number }>(
  log: LoadedCalls<Row>,
  newest: LoadedCalls<Row>,
): LoadedCalls<Row> {
  const { nextBefore } = newest;
  const newestLoaded = log.rows[0];
  if (nextBefore === undefined || newestLoaded === undefined || newestLoaded.id < nextBefore) return newest;
  return { rows: [...newest.rows, ...log.rows.filter(({ id }) => id < nextBefore)], nextBefore: log.nextBefore };
}
