/** Editor of a new or existing tool: name, tabs and model preview. */
import type { Tool } from '../../api/types';
import { currentQuery, navigate, setQuery } from '../../app/router';
import { findInvalidTabs, type TabId, tabs } from '../../logic/tool-fields';
import type { ToolForm } from '../../logic/tool-form';
import { useServerRights } from '../../session/me';
import { Badge, Status } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { Kbd } from '../../ui/Kbd';
import { PageHeader } from '../../ui/PageHeader';
import { Tabs } from '../../ui/Tabs';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';
import { useServer } from '../server/use-server';
import { ViewOnlyNote } from '../server/ViewOnlyNote';
import { AdvancedTab } from './AdvancedTab';
import { AuthenticationTab } from './AuthenticationTab';
import { LimitsTab } from './LimitsTab';
import { OriginNote } from './OriginNote';
import { ParametersTab } from './ParametersTab';
import { RequestTab } from './RequestTab';
import { ResponseTab } from './ResponseTab';
import { ToolModelPreview } from './ToolModelPreview';
import { type ToolEditorState, useSaveKey, useToolEditor } from './use-tool-editor';
import './tool-editor.css';

export interface ToolEditorProps {
  serverId: number;
  /** Undefined for a new tool. */
  tool: { id: number; form: ToolForm; imported: Pick<Tool, 'origin' | 'tags'> } | undefined;
  onSaved: (tool: Tool) => void;
}

/** The limit of the API. */
const nameLengthMax = 128;

const panels = {
  request: RequestTab,
  parameters: ParametersTab,
  authentication: AuthenticationTab,
  response: ResponseTab,
  limits: LimitsTab,
  advanced: AdvancedTab,
} satisfies Record<TabId, unknown>;

export function ToolEditor({ serverId, tool, onSaved }: ToolEditorProps) {
  const requestedTab = currentQuery.value.get('tab');
  const tab = tabs.find(({ id }) => id === requestedTab)?.id ?? 'request';
  const showTab = (id: TabId) => setQuery({ tab: id === 'request' ? undefined : id });

  /** Shows the tab of the first error, unless an error is already visible. */
  const onErrors = (errors: Record<string, string>) => {
    const invalidTabs = findInvalidTabs(errors);
    const first = tabs.find(({ id }) => invalidTabs.has(id));
    if (first && !invalidTabs.has(tab) && !errors.name && !errors.description) showTab(first.id);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.tool-editor [aria-invalid=true]')?.focus());
  };
  const editor = useToolEditor({ serverId, tool, onSaved, onErrors });
  const rights = useServerRights(useServer(serverId).data);
  const canEdit = rights.edit;
  useSaveKey(() => {
    if (canEdit) void editor.save();
  });
  const invalidTabs = findInvalidTabs(editor.errors);
  const Panel = panels[tab];

  return (
    <form
      class="tool-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (canEdit) void editor.save();
      }}
    >
      <EditorHeader editor={editor} serverId={serverId} toolId={tool?.id} canEdit={canEdit} />
      <div class="tool-editor-columns">
        <div class="stack">
          {editor.general && <Callout tone="bad">{editor.general}</Callout>}
          <ViewOnlyNote rights={rights} />
          {tool?.imported.origin && (
            <OriginNote serverId={serverId} origin={tool.imported.origin} tags={tool.imported.tags} canEdit={canEdit} />
          )}
          <fieldset disabled={rights.viewOnly}>
            <NameFields editor={editor} />
          </fieldset>
          <Tabs
            label="Tool sections"
            tabs={tabs.map((entry) => ({ ...entry, hasErrors: invalidTabs.has(entry.id) }))}
            current={tab}
            onTab={showTab}
          >
            <fieldset class="stack" disabled={rights.viewOnly}>
              <Panel editor={editor} />
            </fieldset>
          </Tabs>
        </div>
        <ToolModelPreview form={editor.form} />
      </div>
    </form>
  );
}

interface HeaderProps {
  editor: ToolEditorState;
  serverId: number;
  toolId: number | undefined;
  canEdit: boolean;
}

function EditorHeader({ editor, serverId, toolId, canEdit }: HeaderProps) {
  const { saved, dirty } = editor;
  const href = `/servers/${serverId}/tools`;
  // A test runs the saved tool, so changes are saved first.
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
          {dirty && <Badge tone="warn">Unsaved changes</Badge>}
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
          {toolId !== undefined && canEdit && (
            <Button icon="play" {...(dirty ? { onClick: saveAndTest } : { href: testHref })}>
              {dirty ? 'Save and test' : 'Test'}
            </Button>
          )}
          {canEdit && (
            <>
              <Button variant="primary" type="submit" busy={editor.busy} title="Ctrl-S">
                {toolId === undefined ? 'Create tool' : 'Save'}
              </Button>
              <Kbd keys="Ctrl S" />
            </>
          )}
        </>
      }
    />
  );
}

function NameFields({ editor }: { editor: ToolEditorState }) {
  const { form, change, errors } = editor;
  return (
    <Card>
      <TextField
        label="Name"
        mono
        placeholder="get_weather"
        maxLength={nameLengthMax}
        autofocus={form.name === ''}
        value={form.name}
        onValue={(name) => change({ name })}
        error={errors.name}
      />
      <TextArea
        label="Description"
        rows={2}
        placeholder="Gets the current weather of a city. Use it when …"
        value={form.description}
        onValue={(description) => change({ description })}
        error={errors.description}
        hint="The model uses this to choose a tool. Say what the tool does and when to use it."
      />
    </Card>
  );
}
