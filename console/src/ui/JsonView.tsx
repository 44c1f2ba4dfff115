/** Collapsible view of JSON, rendered as text nodes. Deep and long parts are collapsed at first. */
import { useState } from 'preact/hooks';
import { isRawNumber } from '../logic/exact-json';
import { parseJson, prettyJson } from '../logic/json';
import { CopyButton } from './CopyButton';
import './JsonView.css';

export interface JsonViewProps {
  /** The value or its JSON text; other text is shown unchanged. */
  value: unknown;
  label: string;
  /** Number of levels expanded at first. */
  openLevels?: number | undefined;
}

/** Entries of a list or object that are rendered at a time. */
const pageSize = 100;

export function JsonView({ value, label, openLevels = 2 }: JsonViewProps) {
  const parsed = typeof value === 'string' ? parseJson(value) : { json: value };
  const text = parsed === undefined ? String(value) : prettyJson(parsed.json);
  return (
    <section class="json" aria-label={label}>
      <div class="json-copy">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      {parsed === undefined ? (
        <pre class="json-text">{text}</pre>
      ) : (
        <Node value={parsed.json} name={undefined} openLevels={openLevels} />
      )}
    </section>
  );
}

interface NodeProps {
  value: unknown;
  name: string | undefined;
  openLevels: number;
}

function Node({ value, name, openLevels }: NodeProps) {
  const kind = isRawNumber(value) ? 'number' : value === null ? 'null' : typeof value;
  if (kind === 'object') return <Branch value={value as object} name={name} openLevels={openLevels} />;
  return (
    <div class="json-leaf">
      <Name name={name} />
      <span class={`json-${kind}`}>{JSON.stringify(value)}</span>
    </div>
  );
}

function Branch({ value, name, openLevels }: NodeProps & { value: object }) {
  const [open, setOpen] = useState(openLevels > 0);
  const [shownCount, setShownCount] = useState(pageSize);
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const [opening, closing] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) {
    return (
      <div class="json-leaf">
        <Name name={name} />
        {opening}
        {closing}
      </div>
    );
  }
  return (
    <details class="json-branch" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="json-summary">
        <Name name={name} />
        {opening}
        {!open && (
          <span class="json-folded">
            {entries.length} {isList ? 'items' : 'keys'} {closing}
          </span>
        )}
      </summary>
      {open && (
        <div class="json-children">
          {entries.slice(0, shownCount).map(([key, child]) => (
            <Node key={key} name={isList ? undefined : key} value={child} openLevels={openLevels - 1} />
          ))}
          {entries.length > shownCount && (
            <button type="button" class="json-more" onClick={() => setShownCount(shownCount + pageSize)}>
              Show {entries.length - shownCount} more
            </button>
          )}
        </div>
      )}
      {open && <div class="json-leaf">{closing}</div>}
    </details>
  );
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span class="json-name">{JSON.stringify(name)}: </span>;
}
