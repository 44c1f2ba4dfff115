/** Preformatted text with a copy button: a snippet, a command, a raw body. */
import { CopyButton } from './CopyButton';
import './CodeBlock.css';

export interface CodeBlockProps {
  text: string;
  /** "Configuration for Cursor". */
  label: string;
  /** The text to copy, if only a part is shown. */
  fullText?: string | undefined;
  /** Wraps long lines instead of scrolling. */
  wrap?: boolean | undefined;
  onCopied?: (() => void) | undefined;
}

export function CodeBlock({ text, label, fullText = text, wrap = false, onCopied }: CodeBlockProps) {
  return (
    <figure class="code-block" aria-label={label}>
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre class={wrap ? 'code-block-text code-block-wrap' : 'code-block-text'} tabIndex={0}>
        {text}
      </pre>
      <div class="code-block-copy">
        <CopyButton text={fullText} label="Copy" wide onCopied={onCopied} />
      </div>
    </figure>
  );
}
