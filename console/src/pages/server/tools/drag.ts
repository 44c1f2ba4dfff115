/** Drag and drop of rows. */
import {
  draggable,
  dropTargetForElements,
  type ElementDropTargetEventPayloadMap,
  type ElementEventPayloadMap,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { dropIndex } from '../../../logic/reorder';

export type DropEdge = 'before' | 'after';

/** Distinguishes our rows from other draggable elements. */
const kind = 'toolgate-tool';

export interface RowDrag {
  dragging: boolean;
  /** The drop position of a row dragged over this one. */
  edge: DropEdge | undefined;
}

export function useRowDrag(
  row: RefObject<HTMLElement>,
  handle: RefObject<HTMLElement>,
  index: number,
  enabled: boolean,
): RowDrag {
  const [state, setState] = useState<RowDrag>({ dragging: false, edge: undefined });
  const position = useRef(index);
  position.current = index;

  useEffect(() => {
    if (!row.current || !handle.current || !enabled) return;
    const element = row.current;
    const showEdge = ({ self, source }: ElementDropTargetEventPayloadMap['onDrag']) =>
      setState((previous) => {
        const edge = source.element === element ? undefined : readEdge(self.data.edge);
        return previous.edge === edge ? previous : { ...previous, edge };
      });
    return combine(
      draggable({
        element,
        dragHandle: handle.current,
        getInitialData: () => ({ kind, index: position.current }),
        onDragStart: () => setState({ dragging: true, edge: undefined }),
        onDrop: () => setState({ dragging: false, edge: undefined }),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.kind === kind,
        getData: ({ input }) => ({ kind, index: position.current, edge: edgeAt(element, input.clientY) }),
        onDragEnter: showEdge,
        onDrag: showEdge,
        onDragLeave: () => setState((previous) => ({ ...previous, edge: undefined })),
        onDrop: () => setState({ dragging: false, edge: undefined }),
      }),
    );
  }, [enabled]);

  return state;
}

/** The move that a drop requests; undefined unless one of our rows was dropped on another. */
export function readDrop({
  source,
  location,
}: ElementEventPayloadMap['onDrop']): { from: number; to: number } | undefined {
  const target = location.current.dropTargets[0]?.data;
  const edge = readEdge(target?.edge);
  if (source.data.kind !== kind || target?.kind !== kind || !edge) return undefined;
  const [from, over] = [Number(source.data.index), Number(target.index)];
  return { from, to: dropIndex(from, over, edge) };
}

function edgeAt(element: Element, y: number): DropEdge {
  const { top, height } = element.getBoundingClientRect();
  return y < top + height / 2 ? 'before' : 'after';
}

function readEdge(value: unknown): DropEdge | undefined {
  return value === 'before' || value === 'after' ? value : undefined;
}
