import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';
import { clearFilters } from './clear-filters';

export function NoCalls({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon="search" title="No matching calls" action={<Button onClick={clearFilters}>Show all calls</Button>}>
        No call matches these filters. Try a longer period or fewer filters.
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
      Open a server, connect an AI client and let it call a tool. The call appears here when it ends. Test runs are not
      logged.
    </Empty>
  );
}
