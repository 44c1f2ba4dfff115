/** Reads the resource over MCP, exactly as a client does. */
import { useState } from 'preact/hooks';
import type { Resource, Server } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { formatBytes } from '../../../logic/format';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { JsonView } from '../../../ui/JsonView';
import { TextField } from '../../../ui/TextField';
import { sendMcpRequest } from '../mcp';
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
    setContents(readContents(await sendMcpRequest(server, 'resources/read', { uri })));
  });
  return (
    <aside class="items-preview" aria-label="Preview">
      <h2>Preview</h2>
      {resource ? (
        <>
          <TextField
            label="URI to read"
            mono
            value={uri}
            onValue={setUri}
            hint={resource.template_uri ? `Or any URI that matches ${resource.template_uri}` : undefined}
          />
          <div class="row">
            <Button icon="eye" busy={read.busy} onClick={() => void read.run()}>
              Read resource
            </Button>
            {dirty && <span class="muted small">Unsaved changes are not included.</span>}
          </div>
        </>
      ) : (
        <p class="field-hint">Create the resource to preview its content.</p>
      )}
      {read.error && <Callout tone="bad">{read.error.message}</Callout>}
      {contents?.length === 0 && <p class="field-hint">The resource is empty.</p>}
      {contents?.map((content, index) => (
        // Contents have no id, so the index is the key.
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
        <p class="field-hint">Binary content is not shown.</p>
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
