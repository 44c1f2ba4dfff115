/** The editor of a tool, new or existing: what it is called, its tabs, and what the model sees of it. */
import type { Tool } from '../../api/types';
import { currentQuery, navigate, setQuery } from '../../app/router';
import type { ToolForm } from '../../logic/tool-form';
import { Badge, Status } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { Kbd } from '../../ui/Kbd';
import { PageHeader } from '../../ui/PageHeader';
import { Tabs } from '../../ui/Tabs';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';
import { AdvancedTab } from './AdvancedTab';
import { AuthenticationTab } from './AuthenticationTab';
import { LimitsTab } from './LimitsTab';
import { ModelPreview } from './ModelPreview';
import { ParametersTab } from './ParametersTab';
import { RequestTab } from './RequestTab';
import { faultyTabs, isTab, type TabId, tabs } from './tabs';
import { type ToolEditorState, useSaveKey, useToolEditor } from './use-tool-editor';
import './tool-editor.css';

export interface ToolEditorProps {
  serverId: number;
  tool: { id: number; form: ToolForm } | undefined;
  onSaved: (tool: Tool) => void;
}

const panels = {
  request: RequestTab,
  parameters: ParametersTab,
  authentication: AuthenticationTab,
  limits: LimitsTab,
  advanced: AdvancedTab,
} satisfies Record<TabId, unknown>;

export function ToolEditor({ serverId, tool, onSaved }: ToolEditorProps) {
  const wanted = currentQuery.value.get('tab');
  const tab = isTab(wanted) ? wanted : 'request';
  const show = (id: TabId) => setQuery({ tab: id === 'request' ? undefined : id });

  /** Goes where the first fault is, unless one is in sight already. */
  const onFaults = (faults: Record<string, string>) => {
    const faulty = faultyTabs(faults);
    const first = tabs.find(({ id }) => faulty.has(id));
    if (first && !faulty.has(tab) && !faults.name && !faults.description) show(first.id);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.tool-editor [aria-invalid=true]')?.focus());
  };
  const editor = useToolEditor({ serverId, tool, onSaved, onFaults });
  useSaveKey(() => void editor.save());
  const faulty = faultyTabs(editor.faults);
  const Panel = panels[tab];

  return (
    <form
      class="tool-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void editor.save();
      }}
    >
      <EditorHeader editor={editor} serverId={serverId} toolId={tool?.id} />
      <div class="tool-editor-columns">
        <div class="stack">
          {editor.general && <Callout tone="bad">{editor.general}</Callout>}
          <Identity editor={editor} />
          <Tabs
            label="Parts of the tool"
            tabs={tabs.map((entry) => ({ ...entry, faulty: faulty.has(entry.id) }))}
            current={tab}
            onTab={show}
          >
            <Panel editor={editor} />
          </Tabs>
        </div>
        <ModelPreview form={editor.form} />
      </div>
    </form>
  );
}

interface HeaderProps {
  editor: ToolEditorState;
  serverId: number;
  toolId: number | undefined;
}

function EditorHeader({ editor, serverId, toolId }: HeaderProps) {
  const { saved, dirty } = editor;
  const href = `/servers/${serverId}/tools`;
  // A test calls what is saved, so what is typed has to be, first.
  const testHref = `${href}/${toolId}/test`;
  const saveAndTest = async () => {
    if (await editor.save()) void navigate(testHref);
  };
  return (
    <PageHeader
      title={toolId === undefined ? 'New tool' : saved.name}
      badge={
        <>
          {toolId !== undefined && <Status value={saved.status} />}
          {dirty && <Badge tone="warn">Not saved</Badge>}
        </>
      }
      back={{ href, label: 'Tools' }}
      actions={
        <>
          {dirty && (
            <Button variant="ghost" onClick={editor.discard}>
              Discard
            </Button>
          )}
          {toolId !== undefined && (
            <Button icon="play" {...(dirty ? { onClick: saveAndTest } : { href: testHref })}>
              {dirty ? 'Save and test' : 'Test'}
            </Button>
          )}
          <Button variant="primary" type="submit" busy={editor.busy} title="Ctrl-S">
            {toolId === undefined ? 'Create tool' : 'Save'}
          </Button>
          <Kbd keys="Ctrl S" />
        </>
      }
    />
  );
}

function Identity({ editor }: { editor: ToolEditorState }) {
  const { form, change, faults } = editor;
  return (
    <Card>
      <TextField
        label="Name"
        mono
        placeholder="get_weather"
        maxLength={128}
        autofocus={form.name === ''}
        value={form.name}
        onValue={(name) => change({ name })}
        error={faults.name}
      />
      <TextArea
        label="Description"
        rows={2}
        placeholder="Gets the current weather of a city. Use it when …"
        value={form.description}
        onValue={(description) => change({ description })}
        error={faults.description}
        hint="What the model goes by: what the tool does, and when to use it."
      />
    </Card>
  );
}
