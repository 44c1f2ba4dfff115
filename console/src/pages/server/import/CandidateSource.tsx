/** The request, the warnings and the text of the document for one candidate. */
import type { Candidate } from '../../../logic/api-import';
import type { DocumentLines } from '../../../logic/document-lines';
import { Badge } from '../../../ui/Badge';
import { SourceText } from './SourceText';

export function CandidateSource({ candidate, lines }: { candidate: Candidate; lines: DocumentLines | undefined }) {
  const { http_method, endpoint_url, warnings, pointer } = candidate;
  const excerpt = lines?.excerpt(pointer);
  return (
    <section class="stack stack-tight" aria-label="In the document">
      <h3>Request</h3>
      <p class="small import-url">
        <code>
          {http_method} {endpoint_url}
        </code>
      </p>
      {warnings.length > 0 && (
        <>
          <h3>Warnings</h3>
          <ul class="import-warning-list">
            {warnings.map(({ code, message, pointer: at }, index) => (
              <li key={index} class="small">
                <Badge tone="warn">{code}</Badge> {message} <LineOf lines={lines} pointer={at} />
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>In the document</h3>
      <p class="muted small import-url">
        <code>{pointer}</code>
      </p>
      {excerpt ? (
        <SourceText label={`${candidate.operation} in the document`} excerpt={excerpt} />
      ) : (
        <p class="muted small">The text is not available.</p>
      )}
    </section>
  );
}

function LineOf({ lines, pointer }: { lines: DocumentLines | undefined; pointer: string }) {
  const line = lines?.find(pointer)?.first;
  return (
    <span class="muted" title={pointer}>
      {line === undefined ? '' : `(line ${line})`}
    </span>
  );
}
