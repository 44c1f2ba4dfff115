/** Runs tests of a tool and holds their results. */
import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import type { ToolTestResult } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { shortenParamError } from '../../logic/param-errors';

export interface TestRun {
  result: ToolTestResult;
  /** From the click to the response, measured in the browser. */
  roundTripMs: number;
}

export interface ToolTest {
  run: (args: Record<string, unknown>) => Promise<void>;
  busy: boolean;
  lastRun: TestRun | undefined;
  /** The last runs, oldest first. */
  runs: readonly TestRun[];
  /** Errors in arguments, by path: `arguments[city]`. */
  errors: Record<string, string>;
  /** Errors that do not concern an argument. */
  general: string | undefined;
}

/** Number of results that are shown in the chart. */
const runsMax = 20;

export function useToolTest(toolId: number, onResult: ((result: ToolTestResult) => void) | undefined): ToolTest {
  const [runs, setRuns] = useState<readonly TestRun[]>([]);
  const request = useMutation(async (args: Record<string, unknown>) => {
    const started = performance.now();
    const { data } = await post('/tools/{id}/test', { arguments: args, debug: true }, { path: { id: toolId } });
    setRuns((previous) => [...previous.slice(1 - runsMax), { result: data, roundTripMs: performance.now() - started }]);
    onResult?.(data);
  });
  const params = request.error?.params ?? {};
  const errors = Object.fromEntries(
    Object.entries(params).map(([path, error]) => [
      path,
      shortenParamError(path, error.replaceAll(` ${path}: `, '; ')),
    ]),
  );
  return {
    run: async (args) => void (await request.run(args)),
    busy: request.busy,
    lastRun: runs.at(-1),
    runs,
    errors,
    general: Object.keys(params).length > 0 ? undefined : request.error?.message,
  };
}
