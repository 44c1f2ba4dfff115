/** Runs tests of a tool and holds their results. */
import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import type { ToolTestResult } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { shortenParamError } from '../../logic/param-errors';

export interface Run {
  result: ToolTestResult;
  /** From the click to the response, measured in the browser. */
  roundTripMs: number;
}

export interface ToolTest {
  run: (args: Record<string, unknown>) => Promise<void>;
  busy: boolean;
  /** The last run. */
  last: Run | undefined;
  /** The last 20 runs, oldest first. */
  runs: readonly Run[];
  /** Errors in arguments, by path: `arguments[city]`. */
  errors: Record<string, string>;
  /** Errors that do not concern an argument. */
  general: string | undefined;
}

export function useToolTest(toolId: number, onResult: ((result: ToolTestResult) => void) | undefined): ToolTest {
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const call = useMutation(async (args: Record<string, unknown>) => {
    const started = performance.now();
    const { data } = await post('/tools/{id}/test', { arguments: args, debug: true }, { path: { id: toolId } });
    setRuns((previous) => [...previous.slice(-19), { result: data, roundTripMs: performance.now() - started }]);
    onResult?.(data);
  });
  const params = call.error?.params ?? {};
  const errors = Object.fromEntries(
    Object.entries(params).map(([path, error]) => [
      path,
      shortenParamError(path, error.replaceAll(` ${path}: `, '; ')),
    ]),
  );
  return {
    run: async (args) => void (await call.run(args)),
    busy: call.busy,
    last: runs.at(-1),
    runs,
    errors,
    general: Object.keys(params).length > 0 ? undefined : call.error?.message,
  };
}
