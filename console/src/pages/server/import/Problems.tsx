/** The parts of the document that cannot become tools, with their positions. */
import type { ApiProblem } from '../../../api/types';
import type { DocumentLines } from '../../../logic/document-lines';
import { plural } from '../../../logic/format';
import { Badge } from '../../../ui/Badge';
import { Disclosure } from '../../../ui/Disclosure';
import { VirtualList } from '../../../ui/VirtualList';

/** In pixels. */
const rowHeight = 64;

export function Problems({ problems, lines }: { problems: readonly ApiProblem[]; lines: DocumentLines | undefined }) {
  if (problems.length === 0) return null;
  return (
    <div class="card import-problems">
      <Disclosure summary={`${plural(problems.length, 'problem')} in the document`}>
        <VirtualList
          label="Problems"
          items={problems.map((problem, index) => ({ ...problem, index }))}
          itemKey={({ index }) => index}
          rowHeight={rowHeight}
          height={`min(${problems.length * rowHeight}px, 320px)`}
          render={(problem) => <ProblemRow problem={problem} lines={lines} />}
        />
      </Disclosure>
    </div>
  );
}

function ProblemRow({ problem, lines }: { problem: ApiProblem; lines: DocumentLines | undefined }) {
  const { pointer, operation, code, message } = problem;
  const line = lines?.find(pointer)?.first;
  return (
    <div class="import-problem">
      <p class="import-problem-head">
        <Badge tone="warn">{code}</Badge>
        {operation && <code class="truncate">{operation}</code>}
        {line !== undefined && <span class="muted small import-line">line {line}</span>}
      </p>
      <p class="small truncate" title={message}>
        {message}
      </p>
      <p class="muted small truncate" title={pointer}>
        <code>{pointer}</code>
      </p>
    </div>
  );
}
