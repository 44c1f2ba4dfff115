/** The credentials that the importer extracted, masked. */
import type { CurlDraft } from '../../logic/curl-draft';
import { plural } from '../../logic/format';
import { Icon } from '../../ui/Icon';

export function Credentials({ draft }: { draft: CurlDraft }) {
  const { auth_type, auth_credentials: credentials } = draft;
  if (auth_type === 'none') return null;
  const { keys, key_name, key_location } = credentials;
  const keyList = Array.isArray(keys) ? keys : [];
  const single = typeof key_name === 'string' ? [{ key_name, key_location: String(key_location) }] : [];
  return (
    <div class="quick-add-secret">
      <Icon name="lock" />
      <div class="grow">
        <p class="quick-add-secret-name">
          {keyList.length > 0 ? plural(keyList.length, 'API key') : titles[auth_type]}
        </p>
        {auth_type === 'api-key' ? (
          <ul>
            {[...single, ...keyList].map((key) => (
              <li key={`${key.key_location} ${key.key_name}`}>
                <code>{key.key_name}</code> <span class="muted small">{locationTexts[key.key_location]}</span> <Mask />
              </li>
            ))}
          </ul>
        ) : (
          <Mask />
        )}
        <p class="muted small">
          Moved to the tool's credentials, which are stored encrypted and never sent to a model.
        </p>
      </div>
    </div>
  );
}

function Mask() {
  return <span class="quick-add-mask">••••••••</span>;
}

const titles = { bearer: 'Bearer token', basic: 'User name and password', 'api-key': 'API key' };
const locationTexts: Record<string, string> = {
  header: 'in a header',
  query: 'in the query',
  path: 'in the path',
  cookie: 'in a cookie',
};
