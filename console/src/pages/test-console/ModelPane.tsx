/** The content of the result, as the model receives it. */
import { formatBytes, formatCount } from '../../logic/format';
import { isObject } from '../../logic/json';
import { Card } from '../../ui/Card';
import { JsonView } from '../../ui/JsonView';
import { LongText } from './LongText';

export function ModelPane({ content }: { content: readonly unknown[] }) {
  const length = content.reduce<number>((sum, block) => sum + textOf(block).length, 0);
  return (
    <Card title="What the model receives" description={`${formatCount(length)} characters.`}>
      {content.length === 0 && <p class="muted small">The result has no content.</p>}
      {content.map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </Card>
  );
}

function Block({ block }: { block: unknown }) {
  if (isObject(block) && block.type === 'text') {
    const text = textOf(block);
    if (text === '') return <p class="muted small">The text is empty.</p>;
    return <LongText label="Text" text={text} verbatim />;
  }
  if (isObject(block) && block.type === 'image') return <Picture type={block.mimeType} data={block.data} />;
  if (isObject(block) && block.type === 'audio')
    return <p class="muted small">{mediaNote(block.mimeType, block.data)}</p>;
  return <JsonView label="Content" value={block} />;
}

function Picture({ type, data }: { type: unknown; data: unknown }) {
  const note = mediaNote(type, data);
  // The MIME type becomes part of a URL, so it is validated.
  const isSafe = typeof type === 'string' && /^image\/[a-z0-9.+-]+$/i.test(type) && typeof data === 'string';
  return (
    <figure class="test-picture">
      {isSafe && <img src={`data:${type};base64,${data}`} alt="Returned by the tool" />}
      <figcaption class="muted small">{note}</figcaption>
    </figure>
  );
}

function mediaNote(type: unknown, data: unknown): string {
  const bytes = typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0;
  return `${String(type)}, ${formatBytes(bytes)}`;
}

function textOf(block: unknown): string {
  return isObject(block) && typeof block.text === 'string' ? block.text : '';
}
