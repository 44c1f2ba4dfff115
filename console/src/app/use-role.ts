import { useEffect, useState } from 'preact/hooks';
import { useMe } from '../session/me';

/** After this time pages are shown without the role, so that a failed request does not leave the page empty. */
const roleTimeoutMs = 2000;

/** The role of the signed-in user. `isPending` while it loads, for a limited time. */
export function useRole(): { role: string | undefined; isPending: boolean } {
  const role = useMe()?.user.role;
  const [timedOut, setTimedOut] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTimedOut(true), roleTimeoutMs);
    return () => clearTimeout(timer);
  }, []);
  return { role, isPending: role === undefined && !timedOut };
}
