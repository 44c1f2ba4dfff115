/** The part of the log that is loaded: newest first, older pages added at its end, newer calls at its top. */

export interface LogPage<Row> {
  rows: readonly Row[];
  /** The page holds every call from this id on; undefined where there is nothing older. */
  nextBefore: number | undefined;
}

/** An older page comes behind what is there. */
export function appendOlder<Row extends { id: number }>(log: LogPage<Row>, older: LogPage<Row>): LogPage<Row> {
  const last = log.rows.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return { rows: [...log.rows, ...older.rows.filter(({ id }) => id < last)], nextBefore: older.nextBefore };
}

/**
 * The newest page comes before what is there. Where it does not reach down to what is there, calls between the two would
 * be missing: then it starts the log anew, and the rest is loaded again by whoever scrolls there.
 */
export function mergeNewest<Row extends { id: number }>(log: LogPage<Row>, newest: LogPage<Row>): LogPage<Row> {
  const { nextBefore } = newest;
  const top = log.rows[0];
  if (nextBefore === undefined || top === undefined || top.id < nextBefore) return newest;
  return { rows: [...newest.rows, ...log.rows.filter(({ id }) => id < nextBefore)], nextBefore: log.nextBefore };
}

/** How the time of a call was spent, in percent of the whole. */
export function timeShares(durationMs: number, upstreamMs: number): { upstream: number; own: number; ownMs: number } {
  const waited = Math.min(Math.max(upstreamMs, 0), Math.max(durationMs, 0));
  const upstream = durationMs > 0 ? (waited / durationMs) * 100 : 0;
  return { upstream, own: durationMs > 0 ? 100 - upstream : 0, ownMs: Math.max(0, durationMs - waited) };
}
