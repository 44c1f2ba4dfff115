/** Search, filters by status and tag, and list of tools. */
import type { Server } from '../../../api/types';
import { currentQuery, setQuery } from '../../../app/router';
import { plural } from '../../../logic/format';
import { LoadError } from '../../../ui/LoadError';
import { Segmented } from '../../../ui/Segmented';
import { Select } from '../../../ui/Select';
import { Skeleton } from '../../../ui/Skeleton';
import { Toolbar } from '../../../ui/Toolbar';
import { filterTools, isToolStatus, statusOptions, tagsOf } from './filter';
import { NoTools } from './NoTools';
import { ToolList } from './ToolList';
import type { Tools } from './use-tools';
import './tools.css';

export interface ToolsPanelProps {
  server: Server;
  tools: Tools;
  canEdit: boolean;
}

export function ToolsPanel({ server, tools, canEdit }: ToolsPanelProps) {
  const search = currentQuery.value.get('search') ?? '';
  const requestedStatus = currentQuery.value.get('status') ?? '';
  const status = isToolStatus(requestedStatus) ? requestedStatus : '';
  const tag = currentQuery.value.get('tag') ?? '';

  if (tools.error) return <LoadError title="Could not load the tools" error={tools.error} onRetry={tools.reload} />;
  if (!tools.all) return <ToolsSkeleton rows={Math.min(server.tool_count, 8)} />;
  if (tools.all.length === 0) return <NoTools serverId={server.id} canEdit={canEdit} />;
  const shownTools = filterTools(tools.all, { search, status, tag });
  return (
    <div>
      <Toolbar
        search={{ label: 'Search tools', value: search, onValue: (text) => setQuery({ search: text }) }}
        end={
          <span class="muted small number">
            {shownTools.length === tools.all.length
              ? plural(shownTools.length, 'tool')
              : `${shownTools.length} of ${plural(tools.all.length, 'tool')}`}
          </span>
        }
      >
        <Segmented
          label="Status"
          value={status}
          options={statusOptions}
          onValue={(chosen) => setQuery({ status: chosen })}
        />
        <TagFilter tags={tagsOf(tools.all)} value={tag} />
      </Toolbar>
      {shownTools.length === 0 ? (
        <NoTools
          serverId={server.id}
          canEdit={canEdit}
          onShowAll={() => setQuery({ search: undefined, status: undefined, tag: undefined })}
        />
      ) : (
        <ToolList tools={tools} shownTools={shownTools} serverId={server.id} canEdit={canEdit} />
      )}
    </div>
  );
}

function TagFilter({ tags, value }: { tags: readonly string[]; value: string }) {
  if (tags.length === 0 && value === '') return null;
  // The address may name a tag that no tool has any more.
  const listed = value === '' || tags.includes(value) ? tags : [value, ...tags];
  return (
    <Select
      label="Tag"
      hideLabel
      value={value}
      options={[{ value: '', label: 'All tags' }, ...listed.map((tag) => ({ value: tag, label: tag }))]}
      onValue={(tag) => setQuery({ tag })}
    />
  );
}

function ToolsSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-busy="true">
      <div class="toolbar">
        <Skeleton width="320px" height="32px" />
      </div>
      <div class="tools-frame">
        {Array.from({ length: Math.max(rows, 3) }, (_, row) => (
          <div key={row} class="tools-loading">
            <Skeleton width="180px" />
            <Skeleton width="55%" height="10px" />
          </div>
        ))}
      </div>
    </div>
  );
}
