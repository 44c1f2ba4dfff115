/** Whether arguments and answers of calls are kept. */
import type { Capture } from '../../../logic/server-form';
import { Card } from '../../../ui/Card';
import { RadioCards } from '../../../ui/RadioCards';
import { TextField } from '../../../ui/TextField';

const modes = [
  { value: 'off', label: 'Off', text: 'Nothing of what is said in calls is written down.' },
  { value: 'failures', label: 'Failures', text: 'Arguments and answer of calls that failed, to see why.' },
  { value: 'all', label: 'All calls', text: 'Arguments and answer of every call.' },
] as const;

export interface CaptureCardProps {
  mode: Capture;
  onMode: (mode: Capture) => void;
  bytes: string;
  onBytes: (bytes: string) => void;
  error?: string | undefined;
  bytesError?: string | undefined;
}

export function CaptureCard({ mode, onMode, bytes, onBytes, error, bytesError }: CaptureCardProps) {
  return (
    <Card
      title="Capture"
      description="What is kept of calls beside time and outcome. Known secrets are masked before anything is written."
    >
      <RadioCards label="Capture" hideLabel value={mode} options={modes} onValue={onMode} />
      {error && <p class="field-error">{error}</p>}
      {(mode !== 'off' || bytesError) && (
        <TextField
          label="Bytes kept of each"
          type="number"
          min={1}
          max={65536}
          hint="Of the arguments, and of the answer: 1 to 65,536. What is cut says so."
          value={bytes}
          onValue={onBytes}
          error={bytesError}
        />
      )}
    </Card>
  );
}
