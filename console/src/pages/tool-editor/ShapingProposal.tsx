/** Proposes shaping rules from captured calls: shows which members they leave out, and fills in the form on request. */
import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import type { ProposedPath, ShapingProposal } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { formatCount, formatPercent, plural } from '../../logic/format';
import { toShapingForm } from '../../logic/shaping-form';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Dialog } from '../../ui/Dialog';
import { type Column, Table } from '../../ui/Table';
import type { ToolEditorState } from './use-tool-editor';

const reasons: Record<NonNullable<ProposedPath['reason']>, string> = {
  empty: 'Almost always empty',
  constant: 'Almost always the same',
  url: 'URL',
  duplicate_id: 'Repeats the id or version',
  blob: 'Binary content',
  members: 'All of its members are left out',
};

const columns: readonly Column<ProposedPath>[] = [
  { id: 'path', label: 'Member', grow: true, render: ({ path }) => <code>{path}</code> },
  { id: 'reason', label: 'Why', render: explain },
  {
    id: 'share',
    label: 'In responses',
    align: 'end',
    wideOnly: true,
    render: ({ share }) => formatPercent(share * 100),
  },
  { id: 'saved', label: 'Tokens saved', align: 'end', render: (path) => formatCount(Math.round(path.tokens_saved)) },
];

export function ShapingProposalButton({ editor, toolId }: { editor: ToolEditorState; toolId: number }) {
  const [proposal, setProposal] = useState<ShapingProposal>();
  const load = useMutation(() => get('/tools/{id}/shaping/proposal', { path: { id: toolId } }));
  const close = () => setProposal(undefined);
  const fill = () => {
    if (proposal?.shaping) editor.change({ shaping: toShapingForm(proposal.shaping) });
    close();
  };
  const omitted = proposal?.paths.filter(({ reason }) => reason !== null) ?? [];
  return (
    <>
      <div>
        <Button size="small" busy={load.busy} onClick={async () => setProposal((await load.run())?.data)}>
          Propose from calls
        </Button>
      </div>
      {load.general && <Callout tone="bad">{load.general}</Callout>}
      <Dialog
        open={proposal !== undefined}
        onClose={close}
        title="Proposed response shaping"
        wide
        footer={
          omitted.length > 0 && (
            <Button variant="primary" onClick={fill}>
              Fill in
            </Button>
          )
        }
      >
        {proposal && (
          <div class="stack">
            {proposal.responses > 0 && <p>{summarise(proposal)}</p>}
            {proposal.message && <Callout>{proposal.message}</Callout>}
            {omitted.length > 0 && (
              <Table label="Members to leave out" columns={columns} rows={omitted} rowKey={({ path }) => path} />
            )}
          </div>
        )}
      </Dialog>
    </>
  );
}

function explain({ reason, constant }: ProposedPath) {
  if (!reason) return null;
  return (
    <>
      {reasons[reason]} {constant !== undefined && <code>{constant}</code>}
    </>
  );
}

function summarise({ responses, tokens }: ShapingProposal): string {
  const size = `about ${formatCount(tokens.after)} instead of ${formatCount(tokens.before)} tokens`;
  return `From ${plural(responses, 'different response')}: ${size} for a response. Nothing changes until you save the tool.`;
}
