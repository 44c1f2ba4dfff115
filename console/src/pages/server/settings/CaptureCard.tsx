/** Capture of arguments and responses. */
import type { Capture } from '../../../logic/server-form';
import { Card } from '../../../ui/Card';
import { RadioCards } from '../../../ui/RadioCards';
import { TextField } from '../../../ui/TextField';

const modes = [
  { value: 'off', label: 'Off', text: 'Do not store arguments or responses.' },
  { value: 'failures', label: 'Failures', text: 'Store arguments and responses of failed calls.' },
  { value: 'all', label: 'All calls', text: 'Store arguments and responses of every call.' },
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
    <Card title="Capture" description="Store arguments and responses in the call log. Known secrets are masked first.">
      <RadioCards label="Capture" hideLabel value={mode} options={modes} onValue={onMode} />
      {error && <p class="field-error">{error}</p>}
      {(mode !== 'off' || bytesError) && (
        <TextField
          label="Maximum size (bytes)"
          type="number"
          min={1}
          max={65536}
          hint="Applies to the arguments and to the response, 1 to 65,536. Longer text is truncated and marked."
          value={bytes}
          onValue={onBytes}
          error={bytesError}
        />
      )}
    </Card>
  );
}
