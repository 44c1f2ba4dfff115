/** The test of the tool, in sight as soon as it begins. */
import { useEffect, useRef } from 'preact/hooks';
import { Card } from '../../ui/Card';
import { TestPanel } from '../test-console/TestPanel';
import type { Tested } from './use-steps';

export function TestArea({ tested }: { tested: Tested }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'start', behavior: 'smooth' }), []);
  return (
    <div ref={place} class="quick-add-test">
      <Card title="Test" description="The tool is saved as paused. Publish it when the answer is right.">
        <TestPanel tool={tested.tool} initial={tested.arguments} autoRun />
      </Card>
    </div>
  );
}
