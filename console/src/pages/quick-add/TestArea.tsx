/** The test of the tool, in sight as soon as it begins. */
import { useEffect, useRef } from 'preact/hooks';
import type { Tool } from '../../api/types';
import type { JsonObject } from '../../logic/json';
import { Card } from '../../ui/Card';
import { TestPanel } from '../test-console/TestPanel';

export function TestArea({ tool, initial }: { tool: Tool; initial: JsonObject }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'start', behavior: 'smooth' }), []);
  return (
    <div ref={place} class="quick-add-test">
      <Card title="Test" description="The tool is saved as paused. Publish it when the answer is right.">
        <TestPanel tool={tool} initial={initial} autoRun />
      </Card>
    </div>
  );
}
