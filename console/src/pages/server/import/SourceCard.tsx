/** First step: paste a link or a document, or choose a file. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatBytes } from '../../../logic/format';
import { isLink, readFiles, sourceLabel, sourceSize } from '../../../logic/import-source';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { Disclosure } from '../../../ui/Disclosure';
import { KeyValueEditor, type KeyValuePair, valuesOf } from '../../../ui/KeyValueEditor';
import { TextArea } from '../../../ui/TextArea';
import { toast } from '../../../ui/Toast';
import { SourceText } from './SourceText';
import type { ApiImportState } from './use-api-import';

/** In characters. A longer text is not put back into the field after an error. */
const editableLengthMax = 200_000;
/** In characters. A document may be one long line, so the text around an error is cut. */
const excerptLengthMax = 4_000;

export function SourceCard({ state }: { state: ApiImportState }) {
  const [text, setText] = useState(() => initialText(state));
  const [headers, setHeaders] = useState<KeyValuePair[]>([]);
  const input = useRef<HTMLInputElement>(null);
  // The field shows the text that was dropped or read, so that the user can correct it.
  useEffect(() => setText(initialText(state)), [state.source]);

  const load = (given: string) => {
    const trimmed = given.trim();
    if (trimmed === '') return;
    if (isLink(trimmed)) state.load({ kind: 'url', url: trimmed, headers: valuesOf(headers) });
    else state.load({ kind: 'text', text: given, fileName: undefined });
  };
  const choose = async (files: readonly File[]) => {
    const source = await readFiles(files);
    if (!source) return;
    if (source.kind === 'error') toast(source.message, { tone: 'bad' });
    else state.load(source);
  };
  return (
    <Card
      title="Document"
      description="OpenAPI 3.0 to 3.2, Swagger 2.0, a Postman collection or a HAR recording; JSON or YAML. The format is detected automatically. Choose several files, or a zip archive, if they refer to each other."
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          load(text);
        }}
      >
        <TextArea
          label="Link or document"
          mono
          rows={text.length > 200 ? 12 : 4}
          autofocus
          placeholder="https://api.example.com/openapi.json"
          value={text}
          onValue={setText}
          error={state.error?.params.url ?? state.error?.params.content}
          hint="Paste a link or the whole text, or drop a file anywhere on the page. The service itself fetches a link; nothing is sent elsewhere."
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData('text/plain') ?? '';
            if (text !== '' || pasted.trim() === '') return;
            event.preventDefault();
            setText(pasted.length <= editableLengthMax ? pasted : '');
            // A link may need headers first.
            if (!isLink(pasted) || headers.length === 0) load(pasted);
          }}
        />
        {isLink(text) && (
          <Disclosure summary="Headers for this link" open={headers.length > 0}>
            <KeyValueEditor label="Headers" pairs={headers} onPairs={setHeaders} />
            <p class="muted small">They are stored encrypted with the document and sent only to this link.</p>
          </Disclosure>
        )}
        <ReadError state={state} />
        <div class="row">
          <Button variant="primary" type="submit" busy={state.busy} disabled={text.trim() === ''}>
            Read document
          </Button>
          <Button icon="resource" onClick={() => input.current?.click()}>
            Choose a file
          </Button>
          <input
            ref={input}
            class="visually-hidden"
            type="file"
            multiple
            tabIndex={-1}
            aria-label="File of the document"
            accept=".json,.yaml,.yml,.har,.zip,application/json,application/yaml,application/zip"
            onChange={(event) => {
              void choose([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = '';
            }}
          />
          {state.busy && state.source && <span class="muted small">Reading {sourceLabel(state.source)}…</span>}
        </div>
      </form>
    </Card>
  );
}

function initialText({ source }: ApiImportState): string {
  if (source?.kind === 'url') return source.url;
  const isEditable =
    source?.kind === 'text' && source.fileName === undefined && source.text.length <= editableLengthMax;
  return isEditable ? source.text : '';
}

/** Why the document could not be read, with its position. */
function ReadError({ state }: { state: ApiImportState }) {
  const { error, source } = state;
  if (!error || !source) return null;
  const fieldError = error.params.url ?? error.params.content;
  const lines = source.kind === 'text' ? source.text.split('\n') : [];
  const line = error.position?.line;
  const around = line === undefined ? undefined : lines.slice(Math.max(0, line - 3), line + 2).join('\n');
  const bytes = sourceSize(source);
  const size = bytes === undefined ? '' : `, ${formatBytes(bytes)}`;
  return (
    <>
      {!fieldError && (
        <Callout tone="bad" title={`Could not read ${sourceLabel(source)}${size}`}>
          {error.message}
        </Callout>
      )}
      {around !== undefined && line !== undefined && (
        <SourceText
          label={`The document around line ${line}`}
          excerpt={{
            text: around.slice(0, excerptLengthMax),
            firstLine: Math.max(1, line - 2),
            isCut: around.length > excerptLengthMax,
          }}
        />
      )}
    </>
  );
}
