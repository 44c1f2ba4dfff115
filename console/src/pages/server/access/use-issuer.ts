/** Whether this service can issue tokens. Undefined until this has loaded; the service checks it again on saving. */
import { get } from '../../../api/client';
import type { Issuer } from '../../../api/types';
import { useQuery } from '../../../api/use-query';

export function useIssuer(): Issuer | undefined {
  return useQuery(async (signal) => (await get('/oauth/issuer', { signal })).data, []).data;
}
