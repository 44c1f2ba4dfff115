/** Right pane: the tool created from the command. */
import type { CurlDraft } from '../../logic/curl-draft';
import { Card } from '../../ui/Card';
import { Segmented } from '../../ui/Segmented';
import { Select } from '../../ui/Select';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';
import { Credentials } from './Credentials';
import { RequestLine } from './RequestLine';
import type { PublishState } from './use-publish';
import type { PlannedTool, QuickAdd } from './use-quick-add';
import { ValueList } from './ValueList';
import { VariableFields } from './VariableFields';
import { Warnings } from './Warnings';

export interface ToolPaneProps {
  quickAdd: QuickAdd;
  tool: PlannedTool;
  publish: PublishState;
}

export function ToolPane({ quickAdd, tool, publish }: ToolPaneProps) {
  const { toolErrors: errors, clear } = publish;
  const edit: QuickAdd['edit'] = (changes) => {
    clear();
    quickAdd.edit(changes);
  };
  const editRow: QuickAdd['editRow'] = (id, changes) => {
    clear();
    quickAdd.editRow(id, changes);
  };
  const choose: QuickAdd['choose'] = (index) => {
    clear();
    quickAdd.choose(index);
  };
  return (
    <>
      <ToolChoice quickAdd={quickAdd} onChoose={choose} />
      <Warnings warnings={tool.draft.warnings ?? []} />
      <VariableFields
        variables={tool.draft.variables ?? []}
        values={tool.variables}
        onValues={(variables) => edit({ variables })}
      />
      <Card title="Tool">
        <RequestLine method={tool.draft.http_method} url={tool.parts.endpoint_url} />
        <TextField label="Name" mono value={tool.name} error={errors.name} onValue={(name) => edit({ name })} />
        <TextArea
          label="Description"
          hint="The model uses this to choose a tool. Say what the tool does and when to use it."
          rows={2}
          value={tool.description}
          error={errors.description}
          onValue={(description) => edit({ description })}
        />
        <Credentials draft={tool.draft} />
      </Card>
      <Card
        title="Values"
        description="Fixed values are sent as pasted. The model fills in arguments. Values that are left out are not sent."
      >
        <ValueList tool={tool} onEdit={editRow} />
      </Card>
    </>
  );
}

/** Choice between tools if several commands were pasted; they are published one by one. */
function ToolChoice({ quickAdd, onChoose }: { quickAdd: QuickAdd; onChoose: QuickAdd['choose'] }) {
  const { drafts } = quickAdd.imported;
  if (drafts.length < 2) return null;
  const nameOf = ({ name }: CurlDraft, index: number) => {
    const { edits, published } = quickAdd.form.tools[index] ?? {};
    return `${edits?.name ?? name}${published ? ' ✓' : ''}`;
  };
  const value = String(Math.min(quickAdd.form.chosenIndex, drafts.length - 1));
  const options = drafts.map((draft, index) => ({ value: String(index), label: nameOf(draft, index) }));
  const onValue = (index: string) => onChoose(Number(index));
  // More than three names do not fit next to each other.
  if (drafts.length > 3) {
    return <Select label={`Tool (${drafts.length} in total)`} value={value} options={options} onValue={onValue} />;
  }
  return (
    <div>
      <Segmented label="Tool" value={value} options={options} onValue={onValue} />
    </div>
  );
}
