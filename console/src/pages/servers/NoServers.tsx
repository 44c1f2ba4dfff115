import { openQuickAdd } from '../../app/quick-add';
import { setQuery } from '../../app/router';
import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';

export function NoServers({ filtered, onCreate }: { filtered: boolean; onCreate: (() => void) | undefined }) {
  if (filtered) {
    const clear = () => setQuery({ search: undefined, status: undefined, page: undefined });
    return (
      <Empty icon="search" title="No matching servers" action={<Button onClick={clear}>Show all servers</Button>}>
        Try a shorter search, or another status.
      </Empty>
    );
  }
  if (!onCreate) {
    return (
      <Empty icon="server" title="No servers yet">
        No server is shared with you. Ask the owner of a server to add you as a member.
      </Empty>
    );
  }
  return (
    <Empty
      icon="server"
      title="Create your first server"
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
      A server offers HTTP requests as tools to AI clients. The quickest way to create one is to paste a working curl
      command.
    </Empty>
  );
}
