/** The test of the tool, in sight as soon as it begins. */
import { useEffect, useRef } from 'preact/hooks';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { TestPanel } from '../test-console/TestPanel';
import type { Tested } from './use-steps';

/** `outdated`: the tool is not any more what was tested. */
export function TestArea({ tested, outdated }: { tested: Tested; outdated: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'start', behavior: 'smooth' }), []);
  return (
    <div ref={place} class="quick-add-test">
      <Card title="Test" description="The tool is saved as paused. Publish it when the answer is right.">
        {outdated && (
          <Callout tone="warn">The tool was changed since. Press Test above to try it as it is now.</Callout>
        )}
        <TestPanel tool={tested.tool} initial={tested.arguments} autoRun />
      </Card>
    </div>
  );
}
