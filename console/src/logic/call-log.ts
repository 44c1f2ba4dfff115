/** The loaded part of the call log, newest first: older pages are appended, newer calls are prepended. */

export interface LogPage<Row> {
  rows: readonly Row[];
  /** The page contains every call from this id on; undefined on the last page. */
  nextBefore: number | undefined;
}

/** Appends an older page. */
export function appendOlder<Row extends { id: number }>(log: LogPage<Row>, older: LogPage<Row>): LogPage<Row> {
  const last = log.rows.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return { rows: [...log.rows, ...older.rows.filter(({ id }) => id < last)], nextBefore: older.nextBefore };
}

/**
 * Prepends the newest page. If it does not overlap the loaded rows, calls in between would be missing; it then replaces
 * them, and scrolling loads the rest again.
 */
export function mergeNewest<Row extends { id: number }>(log: LogPage<Row>, newest: LogPage<Row>): LogPage<Row> {
  const { nextBefore } = newest;
  const top = log.rows[0];
  if (nextBefore === undefined || top === undefined || top.id < nextBefore) return newest;
  return { rows: [...newest.rows, ...log.rows.filter(({ id }) => id < nextBefore)], nextBefore: log.nextBefore };
}

/** Shares of a call's duration, in percent. */
export function timeShares(durationMs: number, upstreamMs: number): { upstream: number; own: number; ownMs: number } {
  const waited = Math.min(Math.max(upstreamMs, 0), Math.max(durationMs, 0));
  const upstream = durationMs > 0 ? (waited / durationMs) * 100 : 0;
  return { upstream, own: durationMs > 0 ? 100 - upstream : 0, ownMs: Math.max(0, durationMs - waited) };
}
