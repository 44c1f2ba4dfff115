/** Says why a server and its objects cannot be changed. */
import type { ServerRights } from '../../logic/rights';
import { Callout } from '../../ui/Callout';

export function ViewOnlyNote({ rights }: { rights: ServerRights }) {
  if (!rights.viewOnly) return null;
  return (
    <Callout>
      You can view this server, but not change it. Changes need write access as its owner, as an editor of it, or as an
      administrator.
    </Callout>
  );
}
