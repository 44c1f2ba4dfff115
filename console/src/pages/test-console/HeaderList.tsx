/** Headers of a request or response. */
import { plural } from '../../logic/format';
import { Disclosure } from '../../ui/Disclosure';

export function HeaderList({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <Disclosure summary={plural(entries.length, 'header')} open={entries.length < 6}>
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
