/** The choice between credentials of the tool itself and a credential of its server. */
import { get } from '../../api/client';
import { useQuery } from '../../api/use-query';
import { Link } from '../../app/Link';
import { authLabels, isAuthType } from '../../logic/credentials';
import { Callout } from '../../ui/Callout';
import { LoadError } from '../../ui/LoadError';
import { Select } from '../../ui/Select';
import type { ToolEditorState } from './use-tool-editor';

export function SharedCredential({ editor }: { editor: ToolEditorState }) {
  const { serverId, form, change, errors } = editor;
  const credentials = useQuery(
    async (signal) => (await get('/servers/{server_id}/credentials', { path: { server_id: serverId }, signal })).data,
    [serverId],
  );
  const listed = credentials.data ?? [];
  const used = listed.find(({ name }) => name === form.credential);
  const names = form.credential !== '' && !used ? [form.credential] : [];
  const options = [
    { value: '', label: 'Credentials of this tool only' },
    ...names.map((name) => ({ value: name, label: name })),
    ...listed.map(({ name, auth_type }) => ({ value: name, label: `${name}: ${authLabel(auth_type)}` })),
  ];
  const choose = (name: string) => {
    const chosen = listed.find((credential) => credential.name === name);
    change({ credential: name, replaceCredentials: false, ...(chosen ? { auth_type: chosen.auth_type } : {}) });
  };
  const page = <Link href={`/servers/${serverId}/credentials`}>Credentials of the server</Link>;
  if (credentials.error) {
    return <LoadError title="Could not load the credentials" error={credentials.error} onRetry={credentials.reload} />;
  }
  if (options.length === 1) {
    return <p class="muted small">Several tools can share a credential: {page}.</p>;
  }
  return (
    <>
      <Select label="Credential" value={form.credential} options={options} onValue={choose} error={errors.credential} />
      {used && <p class="muted small">All tools with this credential send the same values. {page}.</p>}
      {used && !used.has_credentials && (
        <Callout tone="warn">This credential has no values yet. Calls fail until you add them.</Callout>
      )}
    </>
  );
}

function authLabel(authType: string): string {
  return isAuthType(authType) ? authLabels[authType] : authType;
}
