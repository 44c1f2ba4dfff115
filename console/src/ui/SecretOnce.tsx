/** A secret that is shown this once, right after it was made. */
import { CopyButton } from './CopyButton';
import './SecretOnce.css';

export interface SecretOnceProps {
  /** What it is: "API key". */
  label: string;
  value: string;
  onCopied?: (() => void) | undefined;
}

export function SecretOnce({ label, value, onCopied }: SecretOnceProps) {
  return (
    <div class="secret">
      <p class="secret-label">{label}</p>
      <div class="secret-line">
        <code class="secret-value">{value}</code>
        <CopyButton text={value} label="Copy" wide onCopied={onCopied} />
      </div>
      <p class="field-hint">Copy it now: it is not shown again.</p>
    </div>
  );
}
