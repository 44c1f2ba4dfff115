/** A tool to try out: arguments, Run, and what was sent, came back and reaches the model. For any page that has a tool. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TestResult } from '../../api/types';
import { isObject } from '../../logic/json';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Empty } from '../../ui/Empty';
import { Kbd } from '../../ui/Kbd';
import { ArgumentsForm } from './ArgumentsForm';
import { TestPanes } from './TestPanes';
import { useArguments } from './use-arguments';
import { useToolTest } from './use-tool-test';
import './TestPanel.css';

export interface TestPanelProps {
  tool: { id: number; name: string; input_schema: unknown };
  /** Arguments to start with, of a call to be made again. */
  initial?: Record<string, unknown> | undefined;
  /** Runs once when it appears, for those who asked for a test to get here. */
  autoRun?: boolean | undefined;
  onResult?: ((result: TestResult) => void) | undefined;
  /** For a page that is about nothing else: one can type at once, and Ctrl-Enter runs. */
  autofocus?: boolean | undefined;
}

export function TestPanel(props: TestPanelProps) {
  // Another schema is another form; the same one, loaded again, is not.
  const schemaText = JSON.stringify(props.tool.input_schema);
  return <Panel key={`${props.tool.id} ${schemaText}`} {...props} />;
}

function Panel({ tool, initial, autoRun = false, onResult, autofocus = false }: TestPanelProps) {
  const schema = useMemo(() => tool.input_schema, []);
  const args = useArguments(schema, initial);
  const test = useToolTest(tool.id, onResult);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (autofocus) form.current?.querySelector<HTMLElement>('.control, [type=submit]')?.focus();
  }, []);
  const shownFaults = { ...test.faults, ...faults };

  const run = async () => {
    if (test.busy) return;
    const { json, faults: found } = args.read();
    setFaults(found);
    if (Object.keys(found).length === 0 && isObject(json)) await test.run(json);
    // After the faults are drawn.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  useEffect(() => {
    if (autoRun) void run();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    // Before the editor takes it for a new line.
    event.preventDefault();
    event.stopPropagation();
    void run();
  };

  return (
    <div class="test-panel" onKeyDownCapture={onKeyDown}>
      <div class="test-columns">
        <form
          ref={form}
          class="test-form"
          aria-label={`Arguments of ${tool.name}`}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <ArgumentsForm args={args} faults={shownFaults} />
          {test.general && <Callout tone="bad">{test.general}</Callout>}
          <div class="row">
            <Button variant="primary" type="submit" icon="play" busy={test.busy}>
              Run
            </Button>
            <Kbd keys="Ctrl Enter" />
          </div>
        </form>
        <div class="test-results" aria-live="polite" aria-busy={test.busy}>
          {test.last ? (
            <TestPanes run={test.last} runs={test.runs} />
          ) : (
            <Empty icon="play" title="Nothing sent yet">
              Run the tool to see the request, the answer and what the model receives. Tests count in no limit and no
              report.
            </Empty>
          )}
        </div>
      </div>
    </div>
  );
}
