/** A part of the document as text, with line numbers. */
import type { Excerpt } from '../../../logic/document-lines';

export function SourceText({ label, excerpt }: { label: string; excerpt: Excerpt }) {
  const { text, firstLine, isCut } = excerpt;
  const lineCount = text.split('\n').length;
  const numbers =
    firstLine === undefined ? '' : Array.from({ length: lineCount }, (_, at) => firstLine + at).join('\n');
  return (
    <div class="import-source">
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section class="import-source-frame" tabIndex={0} aria-label={label}>
        {numbers !== '' && (
          <pre class="import-source-numbers" aria-hidden="true">
            {numbers}
          </pre>
        )}
        <pre class="import-source-text">{text}</pre>
      </section>
      {isCut && <p class="muted small">The rest is not shown.</p>}
    </div>
  );
}
