/** When a key expires: never, a time, soon, or expired. */
import { expiryState } from '../logic/expiry';
import { Badge } from './Badge';
import { Time } from './Time';
import './ExpiryTime.css';

export function ExpiryTime({ expiresAt }: { expiresAt: string | null }) {
  const state = expiryState(expiresAt, new Date());
  if (expiresAt === null) return <span class="muted">never</span>;
  if (state === 'expired') return <Badge tone="bad">expired</Badge>;
  return (
    <span class={state === 'soon' ? 'expiry-time expiry-time-soon' : 'expiry-time'}>
      <Time value={expiresAt} />
    </span>
  );
}
