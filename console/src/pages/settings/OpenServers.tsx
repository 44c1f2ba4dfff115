/** A notice about servers that other machines can use without a key. */
import type { Settings } from '../../api/types';
import { Link } from '../../app/Link';
import { formatCount, plural } from '../../logic/format';
import { Callout } from '../../ui/Callout';

export type OpenServersProps = Pick<Settings, 'open_servers' | 'open_server_count'>;

export function OpenServers({ open_servers, open_server_count }: OpenServersProps) {
  if (!open_server_count) return null;
  const unnamedCount = open_server_count - open_servers.length;
  return (
    <Callout
      tone="warn"
      title={`${plural(open_server_count, 'server')} ${open_server_count === 1 ? 'needs' : 'need'} no endpoint key`}
    >
      Other machines can reach this service. Everyone who knows the URL of one of these servers can call its tools with
      the stored credentials. To require a key, open{' '}
      {open_servers.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link href={`/servers/${id}/access`}>{name}</Link>
        </span>
      ))}
      {unnamedCount > 0 && ` and ${formatCount(unnamedCount)} more`}.
    </Callout>
  );
}
