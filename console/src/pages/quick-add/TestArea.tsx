/** Test of the tool; scrolled into view when it starts. */
import { useEffect, useRef } from 'preact/hooks';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { TestPanel } from '../test-console/TestPanel';
import type { TestedTool } from './use-steps';

/** `outdated`: the tool has changed since the test. */
export function TestArea({ tested, outdated }: { tested: TestedTool; outdated: boolean }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.scrollIntoView({ block: 'start', behavior: 'smooth' }), []);
  return (
    <div ref={container} class="quick-add-test">
      <Card title="Test" description="The tool is saved as paused. Publish it when the result is right.">
        {outdated && <Callout tone="warn">The tool has changed since this test. Press Test to run it again.</Callout>}
        <TestPanel tool={tested.tool} initial={tested.arguments} autoRun />
      </Card>
    </div>
  );
}
