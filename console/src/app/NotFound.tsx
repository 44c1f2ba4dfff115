import { Button } from '../ui/Button';
import { Empty } from '../ui/Empty';

export function NotFound({ path }: { path: string }) {
  return (
    <Empty heading="h1" icon="search" title="Page not found" action={<Button href="/servers">Go to servers</Button>}>
      There is no page at <code>{path}</code>. The link may be outdated, or the item was deleted.
    </Empty>
  );
}
