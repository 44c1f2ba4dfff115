import { openQuickAdd } from '../../app/quick-add';
import { setQuery } from '../../app/router';
import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';

export function NoServers({ filtered, onCreate }: { filtered: boolean; onCreate: () => void }) {
  if (filtered) {
    const clear = () => setQuery({ search: undefined, status: undefined, page: undefined });
    return (
      <Empty icon="search" title="No server fits" action={<Button onClick={clear}>Show all servers</Button>}>
        Try fewer letters, or another status.
      </Empty>
    );
  }
  return (
    <Empty
      icon="server"
      title="Make your first server"
      action={
        <>
          <Button variant="primary" icon="bolt" onClick={() => openQuickAdd()}>
            Paste a curl command
          </Button>
          <Button icon="plus" onClick={onCreate}>
            Start with an empty server
          </Button>
        </>
      }
    >
      A server turns HTTP requests into tools that AI clients can call. The quickest way is a curl command that works.
    </Empty>
  );
}
