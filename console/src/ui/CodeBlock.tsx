/** Text to copy as it stands: a snippet, a command, a raw body. */
import { CopyButton } from './CopyButton';
import './CodeBlock.css';

export interface CodeBlockProps {
  text: string;
  /** What it is: "Configuration for Cursor". */
  label: string;
  /** Long lines are broken rather than scrolled. */
  wrap?: boolean | undefined;
  onCopied?: (() => void) | undefined;
}

export function CodeBlock({ text, label, wrap = false, onCopied }: CodeBlockProps) {
  return (
    <figure class="code-block" aria-label={label}>
      {/* The focus goes here so that the keys scroll. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre class={wrap ? 'code-block-text code-block-wrap' : 'code-block-text'} tabIndex={0}>
        {text}
      </pre>
      <div class="code-block-copy">
        <CopyButton text={text} label="Copy" wide onCopied={onCopied} />
      </div>
    </figure>
  );
}
