/** Calls a tool for its owner, and keeps what became of it until the next call. */
import { useState } from 'preact/hooks';
import { post } from '../../api/client';
import type { TestResult } from '../../api/types';
import { useMutation } from '../../api/use-mutation';
import { plainFault } from '../../logic/param-faults';

export interface Run {
  result: TestResult;
  /** From the click to the answer, measured here. */
  roundTripMs: number;
}

export interface ToolTest {
  run: (args: Record<string, unknown>) => Promise<void>;
  busy: boolean;
  /** The last one. */
  last: Run | undefined;
  /** All of this visit, the oldest first. */
  runs: readonly Run[];
  /** What is wrong with the arguments, by where they stand: `arguments[city]`. */
  faults: Record<string, string>;
  /** What is wrong and no argument's fault. */
  general: string | undefined;
}

export function useToolTest(toolId: number, onResult: ((result: TestResult) => void) | undefined): ToolTest {
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const call = useMutation(async (args: Record<string, unknown>) => {
    const started = performance.now();
    const { data } = await post('/tools/{id}/test', { arguments: args, debug: true }, { path: { id: toolId } });
    setRuns((before) => [...before.slice(-19), { result: data, roundTripMs: performance.now() - started }]);
    onResult?.(data);
  });
  const params = call.error?.params ?? {};
  const faults = Object.fromEntries(
    Object.entries(params).map(([path, fault]) => [path, plainFault(path, fault.replaceAll(` ${path}: `, '; '))]),
  );
  return {
    run: async (args) => void (await call.run(args)),
    busy: call.busy,
    last: runs.at(-1),
    runs,
    faults,
    general: Object.keys(params).length > 0 ? undefined : call.error?.message,
  };
}
