import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';
import { clearFilters } from './clear-filters';

export function NoCalls({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon="search" title="No call fits" action={<Button onClick={clearFilters}>Show all calls</Button>}>
        Nothing in the log matches these filters. Try a longer period, or fewer of them.
      </Empty>
    );
  }
  return (
    <Empty
      icon="list"
      title="No calls yet"
      action={
        <Button variant="primary" icon="plug" href="/servers">
          Connect a client
        </Button>
      }
    >
      Open a server, connect an AI client to it and let it call a tool: the call appears here the moment it ends. Test
      runs are not in the log.
    </Empty>
  );
}
