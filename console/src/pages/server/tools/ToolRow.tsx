import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Tool } from '../../../api/types';
import { Link } from '../../../app/Link';
import { navigate } from '../../../app/router';
import { Status } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Icon } from '../../../ui/Icon';
import { Menu, type MenuItem } from '../../../ui/Menu';
import { Switch } from '../../../ui/Switch';
import { useRowDrag } from './drag';
import { LastStatus } from './LastStatus';
import type { LastCall } from './use-last-calls';
import type { Tools } from './use-tools';

export interface ToolRowProps {
  tool: Tool;
  index: number;
  count: number;
  sortable: boolean;
  canEdit: boolean;
  /** Undefined while it loads. */
  lastCall: LastCall | 'never' | undefined;
  /** The id of the moved tool, whose handle gets the focus when its row is rendered. */
  focusOn: RefObject<number>;
  actions: Tools;
  onMove: (to: number) => void;
  onDelete: () => void;
}

export function ToolRow(props: ToolRowProps) {
  const { tool, index, count, sortable, canEdit, lastCall, focusOn, actions, onMove } = props;
  const row = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const { dragging, edge } = useRowDrag(row, handle, index, sortable);

  useLayoutEffect(() => {
    if (focusOn.current !== tool.id) return;
    focusOn.current = null;
    handle.current?.focus({ preventScroll: true });
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onMove(to);
  };
  const classNames = [
    'tools-row',
    dragging && 'tools-row-dragging',
    edge && `tools-row-${edge}`,
    typeof lastCall === 'object' && 'tools-row-called',
    index === count - 1 && 'tools-row-last',
  ];
  return (
    <div ref={row} class={classNames.filter(Boolean).join(' ')}>
      <button
        ref={handle}
        type="button"
        class="tools-handle"
        disabled={!sortable}
        title={sortable ? 'Drag to reorder, or use the arrow keys' : 'Show all tools to reorder them'}
        aria-label={`Move ${tool.name}, position ${index + 1} of ${count}; arrow keys move it`}
        onKeyDown={onKeyDown}
      >
        <Icon name="drag" />
      </button>
      <div class="tools-main">
        <div class="tools-title">
          <Link class="tools-name truncate" href={editHref(tool)} title={tool.name}>
            {tool.name}
          </Link>
          <span class={`tools-method tools-method-${tool.http_method.toLowerCase()}`}>{tool.http_method}</span>
          {tool.tags.length > 0 && <ToolTags tags={tool.tags} />}
        </div>
        <p class="tools-text truncate" title={tool.description || tool.endpoint_url}>
          <bdi>{tool.description || tool.endpoint_url}</bdi>
        </p>
      </div>
      <LastStatus tool={tool} lastCall={lastCall} />
      {canEdit ? (
        <>
          <Switch
            label={`${tool.name} is active`}
            hideLabel
            checked={tool.status === 'active'}
            onValue={() => void actions.toggle(tool)}
          />
          <span class="tools-test">
            <Button size="small" icon="play" href={`${editHref(tool)}/test`}>
              Test
            </Button>
          </span>
          <Menu label={`Actions for ${tool.name}`} items={menuItems(props)} />
        </>
      ) : (
        <Status value={tool.status} />
      )}
    </div>
  );
}

/** The first tags fit into the row; all of them are in the tooltip. */
const shownTagsMax = 3;

function ToolTags({ tags }: { tags: readonly string[] }) {
  const more = tags.length - shownTagsMax;
  return (
    <span class="tools-tags" title={tags.join(', ')}>
      {tags.slice(0, shownTagsMax).map((tag) => (
        <span key={tag} class="tools-tag truncate">
          <bdi>{tag}</bdi>
        </span>
      ))}
      {more > 0 && <span class="tools-tag-more">+{more}</span>}
    </span>
  );
}

function menuItems({ tool, index, count, sortable, actions, onMove, onDelete }: ToolRowProps): MenuItem[] {
  const active = tool.status === 'active';
  return [
    { label: 'Edit', icon: 'edit', onSelect: () => void navigate(editHref(tool)) },
    { label: 'Test', icon: 'terminal', onSelect: () => void navigate(`${editHref(tool)}/test`) },
    {
      label: active ? 'Pause' : 'Activate',
      icon: active ? 'pause' : 'play',
      onSelect: () => void actions.toggle(tool),
    },
    { label: 'Duplicate', icon: 'copy', onSelect: () => void actions.duplicate(tool) },
    { label: 'Move up', icon: 'arrow-up', disabled: !sortable || index === 0, onSelect: () => onMove(index - 1) },
    {
      label: 'Move down',
      icon: 'arrow-down',
      disabled: !sortable || index === count - 1,
      onSelect: () => onMove(index + 1),
    },
    { label: 'Delete…', icon: 'trash', tone: 'bad', onSelect: onDelete },
  ];
}

function editHref({ id, server_id }: Tool): string {
  return `/servers/${server_id}/tools/${id}`;
}
