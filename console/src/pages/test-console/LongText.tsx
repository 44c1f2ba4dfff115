/** A body: collapsible JSON, or plain text. Long text is truncated until expanded. */
import { useState } from 'preact/hooks';
import { formatBytes, utf8Bytes } from '../../logic/format';
import { Button } from '../../ui/Button';
import { CodeBlock } from '../../ui/CodeBlock';
import { JsonView } from '../../ui/JsonView';

/** Longer text would slow down the layout. */
const shownLengthMax = 20_000;

export interface LongTextProps {
  label: string;
  text: string;
  /** Shows JSON as plain text too. */
  verbatim?: boolean | undefined;
}

export function LongText({ label, text, verbatim = false }: LongTextProps) {
  const [expanded, setExpanded] = useState(false);
  if (!verbatim && /^\s*[[{]/.test(text)) return <JsonView label={label} value={text} />;
  const truncated = !expanded && text.length > shownLengthMax;
  return (
    <div class="test-text">
      <CodeBlock label={label} text={truncated ? text.slice(0, shownLengthMax) : text} fullText={text} wrap />
      {truncated && (
        <Button size="small" onClick={() => setExpanded(true)}>
          Show all {formatBytes(utf8Bytes(text))}
        </Button>
      )}
    </div>
  );
}
