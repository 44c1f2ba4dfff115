/** Method and URL with highlighted placeholders. */
import { Badge } from '../../ui/Badge';

export function RequestLine({ method, url }: { method: string; url: string }) {
  // split() with a group returns the placeholders at odd indexes.
  const pieces = url.split(/(\{[^}]*\})/);
  return (
    <p class="quick-add-request">
      <Badge tone="accent">{method}</Badge>
      <code class="quick-add-url">
        {pieces.map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}
      </code>
    </p>
  );
}
