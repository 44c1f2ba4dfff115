/** Applies the fixes of findings. Each is an ordinary change, which the toast can undo. */
import { useState } from 'preact/hooks';
import { get, patch } from '../../../api/client';
import { toApiError } from '../../../api/errors';
import type { ServerPatch, ToolPatch } from '../../../api/types';
import { plural } from '../../../logic/format';
import { type Fix, withBudget } from '../../../logic/lint-fixes';
import { toast } from '../../../ui/Toast';

/** The text of the toast after a fix, and its undo action. */
interface AppliedFix {
  text: string;
  undo: () => Promise<unknown>;
}

export interface Fixes {
  apply: (fix: Fix) => Promise<void>;
  /** A fix is being applied. */
  busy: boolean;
}

export function useFixes(serverId: number, onChanged: () => void): Fixes {
  const [busy, setBusy] = useState(false);
  const run = async (change: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await change();
    } catch (cause) {
      toast(toApiError(cause).message, { tone: 'bad' });
    } finally {
      setBusy(false);
      onChanged();
    }
  };
  const apply = (fix: Fix) =>
    run(async () => {
      const { text, undo } = await applyFix(serverId, fix);
      toast(text, { action: { label: 'Undo', run: () => void run(undo) } });
    });
  return { apply, busy };
}

async function applyFix(serverId: number, fix: Fix): Promise<AppliedFix> {
  switch (fix.kind) {
    case 'rename':
      return rename(fix.toolId, fix.name);
    case 'budget':
      return setBudget(serverId, fix.toolId);
    case 'pause':
      return pause(fix.toolIds);
    case 'search':
      return changeSetting(serverId, 'discovery', 'search', 'Clients now search for tools.');
    case 'fold':
      return changeSetting(serverId, 'adapt_schemas', true, 'Lists are now adapted to clients.');
  }
}

async function rename(id: number, name: string): Promise<AppliedFix> {
  const { data } = await get('/tools/{id}', { path: { id } });
  await changeTool(id, { name });
  return { text: `Renamed ${data.name} to ${name}.`, undo: () => changeTool(id, { name: data.name }) };
}

async function setBudget(serverId: number, id: number): Promise<AppliedFix> {
  const [tool, server] = await Promise.all([
    get('/tools/{id}', { path: { id } }),
    get('/servers/{id}', { path: { id: serverId } }),
  ]);
  const { name, shaping } = tool.data;
  await changeTool(id, { shaping: withBudget(shaping, server.data.settings?.shaping) });
  return { text: `${name} now has a token limit.`, undo: () => changeTool(id, { shaping }) };
}

async function pause(ids: readonly number[]): Promise<AppliedFix> {
  await setStatus(ids, 'paused');
  return { text: `Paused ${plural(ids.length, 'tool')}.`, undo: () => setStatus(ids, 'active') };
}

/** One after the other: each change is a transaction that locks the server. */
async function setStatus(ids: readonly number[], status: 'active' | 'paused'): Promise<void> {
  for (const id of ids) await changeTool(id, { status });
}

async function changeSetting(serverId: number, key: string, value: unknown, text: string): Promise<AppliedFix> {
  const { data } = await get('/servers/{id}', { path: { id: serverId } });
  const previous = data.settings?.[key] ?? null;
  await changeServer(serverId, { settings: { [key]: value } });
  return { text, undo: () => changeServer(serverId, { settings: { [key]: previous } }) };
}

function changeTool(id: number, body: ToolPatch) {
  return patch('/tools/{id}', body, { path: { id } });
}

function changeServer(id: number, body: ServerPatch) {
  return patch('/servers/{id}', body, { path: { id } });
}
