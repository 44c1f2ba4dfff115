import { Button } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';

export interface NoToolsProps {
  serverId: number;
  canEdit: boolean;
  /** Set if the server has tools, but none matches the search. */
  onShowAll?: (() => void) | undefined;
}

export function NoTools({ serverId, canEdit, onShowAll }: NoToolsProps) {
  if (onShowAll) {
    return (
      <Empty icon="search" title="No matching tools" action={<Button onClick={onShowAll}>Show all tools</Button>}>
        Try a shorter search, or another status or tag.
      </Empty>
    );
  }
  if (!canEdit) {
    return (
      <Empty icon="tool" title="No tools yet">
        The server has no tools.
      </Empty>
    );
  }
  return (
    <Empty
      icon="tool"
      title="Add your first tool"
      action={
        <>
          <Button variant="primary" icon="bolt" href={`/quick-add?server=${serverId}`}>
            Paste a curl command
          </Button>
          <Button icon="download" href={`/servers/${serverId}/import`}>
            Import an API
          </Button>
          <Button icon="plus" href={`/servers/${serverId}/tools/new`}>
            Start with an empty tool
          </Button>
        </>
      }
    >
      A tool is an HTTP request that AI clients can make. The quickest way to create one is to paste a working curl
      command; an OpenAPI, Swagger, Postman or HAR file becomes many tools at once.
    </Empty>
  );
}
