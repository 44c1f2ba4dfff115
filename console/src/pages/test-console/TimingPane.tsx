/** Outcome and timing of a test run, compared with previous runs. */
import { formatDuration } from '../../logic/format';
import { Status } from '../../ui/Badge';
import { Sparkline } from '../../ui/Sparkline';
import type { TestRun } from './use-tool-test';

export function TimingPane({ run, runs }: { run: TestRun; runs: readonly TestRun[] }) {
  const { result, roundTripMs } = run;
  const upstreamMs = result.response_time_ms;
  return (
    <section class="card test-timing" aria-label="Timing">
      <Status value={result.success ? 'success' : 'failed'} />
      <dl class="test-numbers">
        <Item name="Status" value={result.status_code > 0 ? String(result.status_code) : 'none'} />
        <Item name="Upstream time" value={formatDuration(upstreamMs)} />
        <Item name="Round trip" value={formatDuration(Math.max(roundTripMs, upstreamMs))} />
      </dl>
      {runs.length > 1 && (
        <Sparkline
          label="Upstream time of each run"
          points={runs.map(({ result: { response_time_ms } }) => response_time_ms)}
        />
      )}
    </section>
  );
}

function Item({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt class="muted small">{name}</dt>
      <dd class="number">{value}</dd>
    </div>
  );
}
