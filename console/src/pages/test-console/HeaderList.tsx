/** Headers of a request or response. */
import { plural } from '../../logic/format';
import { Disclosure } from '../../ui/Disclosure';

/** A longer list is collapsed at first. */
const openHeadersMax = 5;

export function HeaderList({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <Disclosure summary={plural(entries.length, 'header')} open={entries.length <= openHeadersMax}>
      <dl class="test-headers">
        {entries.map(([name, value]) => (
          <div key={name} class="test-header">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}
