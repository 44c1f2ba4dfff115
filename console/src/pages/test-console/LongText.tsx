/** A body: folded as JSON where it is JSON, else as it came. Of a long one, the beginning until all is asked for. */
import { useState } from 'preact/hooks';
import { formatBytes } from '../../logic/format';
import { Button } from '../../ui/Button';
import { CodeBlock } from '../../ui/CodeBlock';
import { JsonView } from '../../ui/JsonView';

/** More than this makes a browser slow to lay it out. */
const shownAtFirst = 20_000;

export interface LongTextProps {
  label: string;
  text: string;
  /** As it came, also where it is JSON. */
  verbatim?: boolean | undefined;
}

export function LongText({ label, text, verbatim = false }: LongTextProps) {
  const [all, setAll] = useState(false);
  if (!verbatim && /^\s*[[{]/.test(text)) return <JsonView label={label} value={text} />;
  const cut = !all && text.length > shownAtFirst;
  return (
    <div class="test-text">
      <CodeBlock label={label} text={cut ? text.slice(0, shownAtFirst) : text} whole={text} wrap />
      {cut && (
        <Button size="small" onClick={() => setAll(true)}>
          Show all {formatBytes(text.length)}
        </Button>
      )}
    </div>
  );
}
