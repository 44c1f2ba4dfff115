/** Results of a test run: timing, model content, request and raw response. */
import { statusLabel } from '../../logic/call-status';
import { toCurl } from '../../logic/curl';
import { formatBytes, utf8Bytes } from '../../logic/format';
import { Badge } from '../../ui/Badge';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { CopyButton } from '../../ui/CopyButton';
import { HeaderList } from './HeaderList';
import { LongText } from './LongText';
import { ModelPane } from './ModelPane';
import { TimingPane } from './TimingPane';
import { TokenPane } from './TokenPane';
import type { TestRun } from './use-tool-test';

export function TestPanes({ run, runs }: { run: TestRun; runs: readonly TestRun[] }) {
  const { result } = run;
  return (
    <div class="test-panes">
      <TimingPane run={run} runs={runs} />
      {!result.success && (
        <Callout tone="bad" title={failureTitle(run)}>
          {result.advice}
        </Callout>
      )}
      {result.tokens && <TokenPane tokens={result.tokens} />}
      <div class="test-bodies">
        <ModelPane content={modelContent(result)} />
        <ResponsePane raw={result.raw} />
      </div>
      <RequestPane request={result.request} />
    </div>
  );
}

/** The content of the result; after a failure, the texts that a model gets. */
function modelContent({ content, for_model }: TestRun['result']): readonly unknown[] {
  if (!for_model) return content;
  return [for_model.message, for_model.advice].filter((text) => text !== '').map((text) => ({ type: 'text', text }));
}

function failureTitle({ result }: TestRun): string {
  const label = statusLabel('failed', result.reason ?? null);
  return result.status_code > 0 ? `${label} (status ${result.status_code})` : label;
}

function RequestPane({ request }: { request: TestRun['result']['request'] }) {
  if (!request) return <Card title="Request">No request was sent.</Card>;
  return (
    <Card
      title="Request"
      description="As sent, with secrets masked."
      actions={<CopyButton text={toCurl(request)} label="Copy as curl" wide />}
    >
      <div class="test-request-line">
        <Badge tone="accent">{request.method}</Badge>
        <code class="test-url">{request.url}</code>
      </div>
      <HeaderList headers={request.headers} />
      {request.body !== '' && <LongText label="Request body" text={request.body} />}
    </Card>
  );
}

function ResponsePane({ raw }: { raw: TestRun['result']['raw'] }) {
  if (!raw) return <Card title="Raw response">No response.</Card>;
  const type = Object.entries(raw.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const size = formatBytes(utf8Bytes(raw.body));
  return (
    <Card
      title="Raw response"
      description={`${size}, as received.`}
      actions={<Badge tone={raw.status < 400 ? 'good' : 'bad'}>{raw.status}</Badge>}
    >
      <HeaderList headers={raw.headers} />
      {isBinary(type, raw.body) ? (
        <p class="muted small">The body is not text ({type || 'no type'}).</p>
      ) : raw.body === '' ? (
        <p class="muted small">The body is empty.</p>
      ) : (
        <LongText label="Response body" text={raw.body} />
      )}
    </Card>
  );
}

function isBinary(type: string, body: string): boolean {
  return /^(image|audio|video|font)\//i.test(type) ? !/svg/i.test(type) : body.includes('\0');
}
