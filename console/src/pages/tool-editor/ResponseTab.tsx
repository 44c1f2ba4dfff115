/** How responses are shortened for models, and structured results. */
import { describeShaping, type ShapingMode, shapingErrors, withMode } from '../../logic/shaping-form';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { RadioCards } from '../../ui/RadioCards';
import { ShapingFields } from '../../ui/ShapingFields';
import { useServer } from '../server/use-server';
import { PlainFields } from './PlainFields';
import { ShapingProposalButton } from './ShapingProposal';
import type { ToolEditorState } from './use-tool-editor';

export function ResponseTab({ editor }: { editor: ToolEditorState }) {
  return (
    <div class="stack">
      <ShapingCard editor={editor} />
      <Card title="Structured results">
        <PlainFields editor={editor} tab="response" />
        <PlainFields editor={editor} tab="response" json />
      </Card>
    </div>
  );
}

function ShapingCard({ editor }: { editor: ToolEditorState }) {
  const { form, change, errors, serverId, toolId } = editor;
  const { shaping } = form;
  const server = useServer(serverId).data;
  const keyErrors = shapingErrors(errors.shaping);
  const modes: { value: ShapingMode; label: string; text: string }[] = [
    {
      value: 'default',
      label: 'Server default',
      text: server
        ? `The rules of the server: ${describeShaping(server.settings?.shaping)}.`
        : 'The rules of the server.',
    },
    { value: 'off', label: 'Off', text: 'Models get responses as the upstream sends them.' },
    { value: 'own', label: 'Own rules', text: 'Rules for this tool only.' },
  ];
  return (
    <Card
      title="Response shaping"
      description="Shortens responses for models. Test runs show the tokens before and after."
      actions={toolId !== undefined && <ShapingProposalButton editor={editor} toolId={toolId} />}
    >
      {keyErrors[''] && <Callout tone="bad">{keyErrors['']}</Callout>}
      {form.response_type === 'mcp' && <Callout>MCP results are not shaped.</Callout>}
      <RadioCards
        label="Response shaping"
        hideLabel
        value={shaping.mode}
        options={modes}
        onValue={(mode) => change({ shaping: withMode(shaping, mode) })}
      />
      {shaping.mode === 'own' && (
        <ShapingFields form={shaping} onForm={(changed) => change({ shaping: changed })} errors={keyErrors} />
      )}
    </Card>
  );
}
