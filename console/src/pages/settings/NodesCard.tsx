/** The nodes: processes of Toolgate that use the same database. */
import { get } from '../../api/client';
import type { Node } from '../../api/types';
import { useQuery } from '../../api/use-query';
import { Badge, type Tone } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { LoadError } from '../../ui/LoadError';
import { type Column, Table } from '../../ui/Table';
import { Time } from '../../ui/Time';

const states: Record<string, { label: string; tone: Tone }> = {
  ready: { label: 'Ready', tone: 'good' },
  degraded: { label: 'Without Redis', tone: 'warn' },
  stopping: { label: 'Stopping', tone: 'warn' },
  lost: { label: 'Lost', tone: 'bad' },
  unknown: { label: 'Unknown', tone: 'warn' },
};

const columns: readonly Column<Node>[] = [
  {
    id: 'name',
    label: 'Name',
    grow: true,
    render: (node) => (
      <>
        {node.name} {node.is_current && <Badge>this node</Badge>}
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    render: ({ state }) => <Badge tone={states[state]?.tone}>{states[state]?.label ?? state}</Badge>,
  },
  { id: 'version', label: 'Version', render: (node) => node.version },
  { id: 'address', label: 'Address', wideOnly: true, render: (node) => node.address ?? 'all addresses' },
  { id: 'started_at', label: 'Started', wideOnly: true, render: (node) => <Time value={node.started_at} /> },
  { id: 'last_seen_at', label: 'Last seen', render: (node) => <Time value={node.last_seen_at} /> },
];

export function NodesCard() {
  const nodes = useQuery((signal) => get('/nodes', { signal }), []);
  return (
    <Card
      title="Nodes"
      description="The processes of Toolgate that use this database. A node that has not been seen for 30 seconds is lost; it is removed after a day."
    >
      {nodes.error ? (
        <LoadError title="Could not load the nodes" error={nodes.error} onRetry={nodes.reload} />
      ) : (
        <Table
          label="Nodes"
          columns={columns}
          rows={nodes.data?.data}
          rowKey={(node) => node.id}
          reloading={nodes.loading}
          skeletonRows={1}
        />
      )}
    </Card>
  );
}
