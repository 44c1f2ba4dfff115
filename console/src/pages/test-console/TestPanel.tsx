/** Test panel of a tool: arguments, the Run button and the results. Used by several pages. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ToolTestResult } from '../../api/types';
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
  /** Initial arguments, for example of a replayed call. */
  initial?: Record<string, unknown> | undefined;
  /** Runs the test on mount. */
  autoRun?: boolean | undefined;
  onResult?: ((result: ToolTestResult) => void) | undefined;
  /** Focuses the first field on mount. */
  autofocus?: boolean | undefined;
}

export function TestPanel(props: TestPanelProps) {
  // A changed schema resets the form; reloading the same schema does not.
  const schemaText = JSON.stringify(props.tool.input_schema);
  return <Panel key={`${props.tool.id} ${schemaText}`} {...props} />;
}

function Panel({ tool, initial, autoRun = false, onResult, autofocus = false }: TestPanelProps) {
  const schema = useMemo(() => tool.input_schema, []);
  const args = useArguments(schema, initial);
  const test = useToolTest(tool.id, onResult);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (autofocus) form.current?.querySelector<HTMLElement>('.control, [type=submit]')?.focus();
  }, []);
  const shownErrors = { ...test.errors, ...errors };

  const run = async () => {
    if (test.busy) return;
    const { json, errors: inputErrors } = args.read();
    setErrors(inputErrors);
    if (Object.keys(inputErrors).length === 0 && isObject(json)) await test.run(json);
    // Waits until the errors are rendered.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  useEffect(() => {
    if (autoRun) void run();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    // This handler runs in the capture phase, before the editor inserts a new line.
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
          <ArgumentsForm args={args} errors={shownErrors} />
          {test.general && <Callout tone="bad">{test.general}</Callout>}
          <div class="row">
            <Button variant="primary" type="submit" icon="play" busy={test.busy}>
              Run
            </Button>
            <Kbd keys="Ctrl Enter" />
          </div>
        </form>
        <div class="test-results" aria-live="polite" aria-busy={test.busy}>
          {test.lastRun ? (
            <TestPanes run={test.lastRun} runs={test.runs} />
          ) : (
            <Empty icon="play" title="Nothing sent yet">
              Run the tool to see the request, the response and what the model receives. Test runs do not count towards
              rate limits or reports.
            </Empty>
          )}
        </div>
      </div>
    </div>
  );
}
