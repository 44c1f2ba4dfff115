/** Shows that tools are being created, with a button to stop. Afterwards shows a failure or the result of a stop. */
import { useEffect, useState } from 'preact/hooks';
import { formatDuration, plural } from '../../../logic/format';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Dialog } from '../../../ui/Dialog';
import type { Commit } from './use-commit';

export function CommitProgress({ serverId, commit }: { serverId: number; commit: Commit }) {
  const { state, stop, reset } = commit;
  if (state.phase === 'running' || state.phase === 'stopping') {
    const isStopping = state.phase === 'stopping';
    return (
      <Dialog
        open
        onClose={stop}
        dirty
        title={isStopping ? 'Stopping…' : `Creating ${plural(state.tools, 'tool')}`}
        footer={
          <Button busy={isStopping} onClick={stop}>
            Stop
          </Button>
        }
      >
        <div class="stack">
          <progress class="import-progress" aria-label="Creating tools" />
          <p class="small">
            {isStopping ? 'Checking whether the tools were already created.' : <Elapsed since={state.startedAt} />}
          </p>
          <p class="muted small">All tools are created together, or none of them.</p>
        </div>
      </Dialog>
    );
  }
  if (state.phase === 'failed') {
    return (
      <Dialog open onClose={reset} title="No tools were created" footer={<Button onClick={reset}>Close</Button>}>
        <Callout tone="bad">{state.error.message}</Callout>
      </Dialog>
    );
  }
  if (state.phase === 'stopped') {
    const { created } = state;
    return (
      <Dialog
        open
        onClose={reset}
        title={created ? 'Stopped too late' : 'Stopped'}
        footer={
          <>
            {created !== 0 && <Button href={`/servers/${serverId}/tools`}>Show tools</Button>}
            <Button variant="primary" onClick={reset}>
              Continue
            </Button>
          </>
        }
      >
        {stoppedText(created)}
      </Dialog>
    );
  }
  return null;
}

function stoppedText(created: number | null): string {
  if (created === null) return 'The service does not respond, so it is not known whether the tools were created.';
  if (created === 0) return 'No tools were created, and no credentials were stored.';
  return `The service had already created ${plural(created, 'tool')} when you stopped.`;
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return <span class="number">Running for {formatDuration(Math.max(0, Math.round((now - since) / 500) * 500))}.</span>;
}
