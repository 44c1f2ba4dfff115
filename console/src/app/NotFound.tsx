import { Button } from '../ui/Button';
import { Empty } from '../ui/Empty';

export function NotFound({ path }: { path: string }) {
  return (
    <Empty icon="search" title="There is no such page" action={<Button href="/servers">Go to servers</Button>}>
      Nothing is at <code>{path}</code>. The link may be old, or what it was about was deleted.
    </Empty>
  );
}
