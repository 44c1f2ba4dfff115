/** What a client gets that reads the resource: asked for over MCP, so it is the real thing. */
import { useState } from 'preact/hooks';
import type { Resource, Server } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { formatBytes } from '../../../logic/format';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { JsonView } from '../../../ui/JsonView';
import { TextField } from '../../../ui/TextField';
import { askServer } from '../mcp';
import { type Content, readContents } from './contents';

export interface ResourcePreviewProps {
  server: Server;
  resource: Resource | undefined;
  dirty: boolean;
}

export function ResourcePreview({ server, resource, dirty }: ResourcePreviewProps) {
  const [uri, setUri] = useState(resource?.uri ?? '');
  const [contents, setContents] = useState<Content[]>();
  const read = useMutation(async () => {
    setContents(undefined);
    setContents(readContents(await askServer(server, 'resources/read', { uri })));
  });
  return (
    <aside class="items-preview" aria-label="Preview">
      <h3>Preview</h3>
      {resource ? (
        <>
          <TextField
            label="Address to read"
            mono
            value={uri}
            onValue={setUri}
            hint={resource.template_uri ? `Also any address like ${resource.template_uri}` : undefined}
          />
          <div class="row">
            <Button icon="eye" busy={read.busy} onClick={() => void read.run()}>
              Read it
            </Button>
            {dirty && <span class="muted small">Shows what is saved, not what you typed.</span>}
          </div>
        </>
      ) : (
        <p class="field-hint">Once it is created, you can read it here as a client does.</p>
      )}
      {read.error && <Callout tone="bad">{read.error.message}</Callout>}
      {contents?.length === 0 && <p class="field-hint">The answer is empty.</p>}
      {contents?.map((content, index) => (
        // Contents have no identity but their place.
        <ContentView key={index} content={content} />
      ))}
    </aside>
  );
}

function ContentView({ content: { mimeType, text, bytes } }: { content: Content }) {
  return (
    <div class="stack stack-tight">
      <p class="muted small">
        <code>{mimeType}</code> · {formatBytes(bytes)}
      </p>
      {text === undefined ? (
        <p class="field-hint">This is no text, so it is not shown.</p>
      ) : isJson(text) ? (
        <JsonView label="Content" value={text} />
      ) : (
        <pre class="resources-content" dir="auto">
          {text}
        </pre>
      )}
    </div>
  );
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}
