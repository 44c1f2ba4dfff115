/** A tool and, where it is to be called again, the arguments of a call in the log. */
import { get } from '../../api/client';
import type { Tool } from '../../api/types';
import { type Query, useQuery } from '../../api/use-query';
import { isObject, parseJson } from '../../logic/json';

export function useTool(id: number): Query<Tool> {
  return useQuery(async (signal) => (await get('/tools/{id}', { path: { id }, signal })).data, [id]);
}

export interface Replay {
  /** Undefined where the call has none that can be used. */
  args: Record<string, unknown> | undefined;
  note: string | undefined;
}

const mask = '********';
const nothing: Replay = { args: undefined, note: undefined };

/** `call`: its id in the log; undefined where there is nothing to call again. */
export function useReplay(call: number | undefined): Query<Replay> {
  return useQuery(
    async (signal) => {
      if (call === undefined) return nothing;
      const { data } = await get('/calls/{id}', { path: { id: call }, signal });
      return readReplay(data.arguments);
    },
    [call],
    call === undefined ? nothing : undefined,
  );
}

export function readReplay(text: string | null): Replay {
  if (text === null) {
    return { args: undefined, note: 'The arguments of this call were not kept: switch capture on to have them.' };
  }
  const parsed = parseJson(text);
  if (!parsed || !isObject(parsed.json)) {
    return {
      args: undefined,
      note: 'The arguments of this call were cut when they were kept, so they cannot be used again.',
    };
  }
  // A mask that stands in a field looks like a secret that is filled in.
  const args = Object.fromEntries(Object.entries(parsed.json).filter(([, value]) => value !== mask));
  const note = text.includes(mask)
    ? 'Secrets were masked when the call was kept: fill them in before you run it.'
    : undefined;
  return { args, note };
}
