/** Text to copy as it stands: a snippet, a command, a raw body. */
import { CopyButton } from './CopyButton';
import './CodeBlock.css';

export interface CodeBlockProps {
  text: string;
  /** What it is: "Configuration for Cursor". */
  label: string;
  /** What the button copies, where only a part of it is shown. */
  whole?: string | undefined;
  /** Long lines are broken rather than scrolled. */
  wrap?: boolean | undefined;
  onCopied?: (() => void) | undefined;
}

export function CodeBlock({ text, label, whole = text, wrap = false, onCopied }: CodeBlockProps) {
  return (
    <figure class="code-block" aria-label={label}>
      {/* The focus goes here so that the keys scroll. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre class={wrap ? 'code-block-text code-block-wrap' : 'code-block-text'} tabIndex={0}>
        {text}
      </pre>
      <div class="code-block-copy">
        <CopyButton text={whole} label="Copy" wide onCopied={onCopied} />
      </div>
    </figure>
  );
}
