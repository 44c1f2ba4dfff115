/** The prompts or resources of a server: a list with editors, and a button for a new one. */
import type { ComponentChildren } from 'preact';
import type { Server } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { currentQuery } from '../../app/router';
import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';
import { LoadError } from '../../ui/LoadError';
import { Skeleton } from '../../ui/Skeleton';
import { ItemList, type ItemListProps, openItem } from './ItemList';
import { ServerFrame } from './ServerFrame';

interface ItemsProps<Item> extends Pick<ItemListProps<Item>, 'textOf' | 'renderSummary'> {
  noun: 'prompt' | 'resource';
  load: (signal: AbortSignal) => Promise<readonly Item[]>;
  /** Undefined: a new item. */
  renderEditor: (item: Item | undefined, server: Server, onChanged: () => void) => ComponentChildren;
  /** Says what the items are, if there are none. */
  children: ComponentChildren;
}

export function ItemsTab<Item extends { id: number; name: string }>(props: ItemsProps<Item> & { serverId: number }) {
  const { serverId, noun } = props;
  return (
    <ServerFrame serverId={serverId} tab={`${noun}s`} actions={<NewItemButton noun={noun} />}>
      {(server, _query, { edit }) => <Items {...props} server={server} canEdit={edit} />}
    </ServerFrame>
  );
}

function Items<Item extends { id: number; name: string }>(
  props: ItemsProps<Item> & { server: Server; canEdit: boolean },
) {
  const { server, canEdit, noun, load, textOf, renderSummary, renderEditor, children } = props;
  const items = useQuery(load, [server.id]);
  const creating = canEdit && currentQuery.value.get('open') === 'new';
  if (!items.data) {
    return items.error ? (
      <LoadError title={`Could not load the ${noun}s`} error={items.error} onRetry={items.reload} />
    ) : (
      <Skeleton lines={4} height="20px" />
    );
  }
  if (items.data.length === 0 && !creating) {
    return (
      <Empty icon={noun} title={`No ${noun}s yet`} action={canEdit && <NewItemButton noun={noun} />}>
        {children}
      </Empty>
    );
  }
  return (
    <ItemList
      noun={`${noun}s`}
      items={items.data}
      textOf={textOf}
      renderSummary={renderSummary}
      renderEditor={(item) => renderEditor(item, server, items.reload)}
    />
  );
}

function NewItemButton({ noun }: { noun: string }) {
  return (
    <Button variant="primary" icon="plus" onClick={() => openItem('new')}>
      {`New ${noun}`}
    </Button>
  );
}
