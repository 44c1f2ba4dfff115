/** A new secret, which is shown only once. */
import { CopyButton } from './CopyButton';
import './OneTimeSecret.css';

export interface OneTimeSecretProps {
  /** "API key". */
  label: string;
  value: string;
  onCopied?: (() => void) | undefined;
}

export function OneTimeSecret({ label, value, onCopied }: OneTimeSecretProps) {
  return (
    <div class="secret">
      <p class="secret-label">{label}</p>
      <div class="secret-line">
        <code class="secret-value">{value}</code>
        <CopyButton text={value} label="Copy" wide onCopied={onCopied} />
      </div>
      <p class="field-hint">Copy it now. You will not see it again.</p>
    </div>
  );
}
