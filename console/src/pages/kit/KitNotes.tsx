import { ApiError } from '../../api/errors';
import { Badge, Status } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { CodeBlock } from '../../ui/CodeBlock';
import { Disclosure } from '../../ui/Disclosure';
import { Empty } from '../../ui/Empty';
import { ExternalLink } from '../../ui/ExternalLink';
import { LoadError } from '../../ui/LoadError';
import { OneTimeSecret } from '../../ui/OneTimeSecret';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';

const tones = ['neutral', 'accent', 'good', 'warn', 'bad'] as const;
const statuses = ['active', 'paused', 'draft', 'success', 'failed'];

export function KitNotes() {
  return (
    <Card title="Notes">
      <div class="row">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        {statuses.map((status) => (
          <Status key={status} value={status} />
        ))}
        <Time value="2026-11-15T12:00:00" />
        <ExternalLink href="https://example.com/" />
        <ExternalLink href="file:///hostile" />
      </div>
      <Callout title="For your information">The text of a neutral callout.</Callout>
      <Callout tone="good">The text of a callout about a success.</Callout>
      <Callout tone="warn" title="Two options were left out" action={<Button size="small">Show</Button>}>
        --compressed has no effect here.
      </Callout>
      <LoadError
        error={new ApiError('The service does not respond. Is it running?', 0, 'unreachable')}
        onRetry={() => {}}
      />
      <OneTimeSecret label="API key" value="tg_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG" />
      <CodeBlock
        label="Command"
        text={'curl -H "Authorization: Bearer KEY" \\\n  http://127.0.0.1:8080/wp-json/toolgate/v1/servers'}
      />
      <Disclosure summary="More">This text is hidden until you open it.</Disclosure>
      <Skeleton lines={3} />
      <Empty icon="tool" title="No tools yet" action={<Button variant="primary">Paste a curl command</Button>}>
        The quickest way to create a tool is to paste a working curl command.
      </Empty>
    </Card>
  );
}
