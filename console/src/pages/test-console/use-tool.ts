/** Loads a tool, and the arguments of its first test or of a call to replay. */
import { useMemo } from 'preact/hooks';
import { get } from '../../api/client';
import type { Tool } from '../../api/types';
import { type Query, useQuery } from '../../api/use-query';
import { exampleArguments } from '../../logic/example-arguments';
import { isObject, parseJson } from '../../logic/json';

export function useTool(id: number): Query<Tool> {
  return useQuery(async (signal) => (await get('/tools/{id}', { path: { id }, signal })).data, [id]);
}

/** Generated arguments for the first test of an imported tool. */
export function useExample(tool: Tool | undefined, isRequested: boolean): Record<string, unknown> | undefined {
  return useMemo(() => (tool && isRequested ? exampleArguments(tool.input_schema) : undefined), [tool, isRequested]);
}

export interface Replay {
  /** Undefined if the call has no usable arguments. */
  args: Record<string, unknown> | undefined;
  note: string | undefined;
}

const mask = '********';
const noReplay: Replay = { args: undefined, note: undefined };

/** `call`: id of the call to replay; undefined without a replay. */
export function useReplay(call: number | undefined): Query<Replay> {
  return useQuery(
    async (signal) => {
      if (call === undefined) return noReplay;
      const { data } = await get('/calls/{id}', { path: { id: call }, signal });
      return readReplay(data.arguments);
    },
    [call],
    call === undefined ? noReplay : undefined,
  );
}

export function readReplay(text: string | null): Replay {
  if (text === null) {
    return {
      args: undefined,
      note: 'The arguments of this call were not captured. Turn on capture in the server’s settings.',
    };
  }
  const parsed = parseJson(text);
  if (!parsed || !isObject(parsed.json)) {
    return {
      args: undefined,
      note: 'The captured arguments of this call are truncated, so they cannot be replayed.',
    };
  }
  // Masked values are removed: in a field, the mask would look like a filled-in secret.
  const args = Object.fromEntries(Object.entries(parsed.json).filter(([, value]) => value !== mask));
  const note = text.includes(mask)
    ? 'Secrets of this call are masked. Fill them in before you run the tool.'
    : undefined;
  return { args, note };
}
