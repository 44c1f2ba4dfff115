/** The signed-in user and the rights of the key, loaded once for each key. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get } from '../api/client';
import type { Me, Server } from '../api/types';
import { type ServerRights, serverRights } from '../logic/rights';
import { sessionKey } from './session';

const loaded = signal<{ key: string; me: Me } | undefined>(undefined);
let pendingKey: string | undefined;

/** Undefined until the user has loaded. After a sign-out in another tab (key ''), the last user stays. */
export function useMe(): Me | undefined {
  const key = sessionKey.value;
  useEffect(() => {
    if (key && loaded.value?.key !== key) void load(key);
  }, [key]);
  if (key === '') return loaded.value?.me;
  return loaded.value?.key === key ? loaded.value?.me : undefined;
}

export function useServerRights(server: Pick<Server, 'id' | 'user_id'> | undefined): ServerRights {
  return serverRights(useMe(), server);
}

/** Loads the rights again, for example because a server may have been shared or handed over since. */
export function reloadMe(): void {
  const key = sessionKey.value;
  if (key) void load(key);
}

async function load(key: string): Promise<void> {
  if (pendingKey === key) return;
  pendingKey = key;
  try {
    const { data } = await get('/me');
    loaded.value = { key, me: data };
  } catch {
    // The requests of the page fail for the same reason, and the page shows the error.
  } finally {
    pendingKey = undefined;
  }
}
