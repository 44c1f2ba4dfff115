/** The credential that the importer extracted, masked. */
import type { CurlDraft } from '../../logic/curl-draft';
import { Icon } from '../../ui/Icon';

export function Credentials({ draft }: { draft: CurlDraft }) {
  const { auth_type, auth_credentials: credentials } = draft;
  if (auth_type === 'none') return null;
  return (
    <div class="quick-add-secret">
      <Icon name="lock" />
      <div class="grow">
        <p>
          <span class="quick-add-secret-name">{titles[auth_type]}</span>
          {credentials.key_name && <code> {credentials.key_name}</code>} <span class="quick-add-mask">••••••••</span>
        </p>
        <p class="muted small">
          Moved to the tool's credentials, which are stored encrypted and never sent to a model.
        </p>
      </div>
    </div>
  );
}

const titles = { bearer: 'Bearer token', basic: 'User name and password', 'api-key': 'API key' };
