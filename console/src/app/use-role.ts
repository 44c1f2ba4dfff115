import { useEffect, useState } from 'preact/hooks';
import { useMe } from '../session/me';

/** How long pages wait for the role, in case that the request fails. */
const waitMs = 2000;

/** The role of the signed-in user. `isPending` while it loads, for a limited time. */
export function useRole(): { role: string | undefined; isPending: boolean } {
  const role = useMe()?.user.role;
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), waitMs);
    return () => clearTimeout(timer);
  }, []);
  return { role, isPending: role === undefined && !waited };
}
