/** Details of one call, next to the call log. */
import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';
import { setQuery } from '../../app/router';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { LoadError } from '../../ui/LoadError';
import { Skeleton } from '../../ui/Skeleton';
import { CallDetails } from './CallDetails';

export interface CallPanelProps {
  id: number;
  /** Ids of the rows above and below, if loaded. */
  newer: number | undefined;
  older: number | undefined;
  onClose: () => void;
}

export function CallPanel({ id, newer, older, onClose }: CallPanelProps) {
  const query = useQuery((signal) => get('/calls/{id}', { path: { id }, signal }), [id]);
  // While loading, the previous call stays; after an error it must not.
  const call = query.error ? undefined : query.data?.data;
  // A deleted tool cannot be called again.
  const replayHref = call?.tool_name
    ? `/servers/${call.server_id}/tools/${call.tool_id}/test?call=${call.id}`
    : undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      placement="side"
      title={<bdi>{call ? (call.tool_name ?? `Tool ${call.tool_id}`) : 'Call'}</bdi>}
      footer={
        <>
          <div class="row grow">
            <Button icon="arrow-up" disabled={newer === undefined} onClick={() => setQuery({ call: newer })}>
              Newer
            </Button>
            <Button icon="arrow-down" disabled={older === undefined} onClick={() => setQuery({ call: older })}>
              Older
            </Button>
          </div>
          {replayHref && (
            <Button variant="primary" icon="refresh" href={replayHref}>
              Replay
            </Button>
          )}
        </>
      }
    >
      {query.error && <CallError error={query.error} onRetry={query.reload} />}
      {query.loading && !query.error && <Skeleton lines={8} height="16px" />}
      {call && <CallDetails call={call} />}
    </Dialog>
  );
}

function CallError({
  error,
  onRetry,
}: {
  error: NonNullable<ReturnType<typeof useQuery>['error']>;
  onRetry: () => void;
}) {
  if (error.status !== 404) return <LoadError title="Could not load the call" error={error} onRetry={onRetry} />;
  return <p>This call is not in the call log. It may be older than the retention period, or belong to another user.</p>;
}
