import { Button } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';

/** `onShowAll`: there are tools, but none that fits the search. */
export function NoTools({ serverId, onShowAll }: { serverId: number; onShowAll?: (() => void) | undefined }) {
  if (onShowAll) {
    return (
      <Empty icon="search" title="No tool fits" action={<Button onClick={onShowAll}>Show all tools</Button>}>
        Try fewer letters, or another status.
      </Empty>
    );
  }
  return (
    <Empty
      icon="tool"
      title="Add the first tool"
      action={
        <>
          <Button variant="primary" icon="bolt" href={`/quick-add?server=${serverId}`}>
            Paste a curl command
          </Button>
          <Button icon="plus" href={`/servers/${serverId}/tools/new`}>
            Start with an empty tool
          </Button>
        </>
      }
    >
      A tool is one HTTP request that AI clients can make. The quickest way is a curl command that works.
    </Empty>
  );
}
