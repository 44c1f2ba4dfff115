/** State of the live log, pause button and CSV export. */
import { downloadCsv } from '../../api/download';
import { useMutation } from '../../api/use-mutation';
import type { CallFilter } from '../../logic/call-filter';
import { utcDay } from '../../logic/format';
import { Button } from '../../ui/Button';
import { toast } from '../../ui/Toast';
import type { LiveTail } from './use-live-tail';

const stateLabels = {
  connecting: 'Connecting…',
  open: 'Live',
  waiting: 'Reconnecting…',
  past: 'Past calls only',
};

export interface LiveControlsProps {
  state: LiveTail['state'];
  paused: boolean;
  onPause: (paused: boolean) => void;
}

export function LiveControls({ state, paused, onPause }: LiveControlsProps) {
  const isPast = state === 'past';
  return (
    <>
      <span class={`calls-live calls-live-${paused && !isPast ? 'paused' : state}`} role="status">
        {paused && !isPast ? 'Paused' : stateLabels[state]}
      </span>
      {!isPast && (
        <Button icon={paused ? 'play' : 'pause'} onClick={() => onPause(!paused)}>
          {paused ? 'Resume' : 'Pause'}
        </Button>
      )}
    </>
  );
}

export function ExportButton({ filter }: { filter: CallFilter }) {
  const save = useMutation(async () => {
    await downloadCsv('/calls', filter, `calls-${utcDay(new Date())}.csv`);
    toast('Saved the calls as CSV.');
  });
  return (
    <>
      <Button icon="download" busy={save.busy} onClick={() => void save.run()}>
        Export CSV
      </Button>
      {save.error && (
        <span class="field-error" role="alert">
          {save.error.message}
        </span>
      )}
    </>
  );
}
