/** Credential fields for each security scheme of the document. The values are stored as credentials of the server. */
import { get } from '../../../api/client';
import { useQuery } from '../../../api/use-query';
import type { ApiImport, SecurityScheme } from '../../../logic/api-import';
import { authLabels, isAuthType } from '../../../logic/credentials';
import { plural } from '../../../logic/format';
import { isGiven, schemeDestination, schemeFields } from '../../../logic/import-credentials';
import type { SelectionSums } from '../../../logic/import-selection';
import { Badge } from '../../../ui/Badge';
import { Card } from '../../../ui/Card';
import { CredentialInput } from '../../../ui/CredentialInput';
import { Disclosure } from '../../../ui/Disclosure';
import type { ApiImportState } from './use-api-import';

export interface CredentialsCardProps {
  serverId: number;
  state: ApiImportState;
  report: ApiImport;
  sums: SelectionSums;
}

export function CredentialsCard({ serverId, state, report, sums }: CredentialsCardProps) {
  const stored = useQuery(
    async (signal) => (await get('/servers/{server_id}/credentials', { path: { server_id: serverId }, signal })).data,
    [serverId],
  );
  const storedNames = new Set(
    stored.data?.filter(({ has_credentials }) => has_credentials).map(({ name }) => name.toLowerCase()),
  );
  const { security_schemes: schemes } = report;
  if (schemes.length === 0) {
    return (
      <Card title="Credentials">
        <p class="muted small">The document requires none. You can set credentials for each tool later.</p>
      </Card>
    );
  }
  const isUsed = ({ name }: SecurityScheme) => sums.credentials.has(name) || isGiven(state.credentials, name);
  const used = schemes.filter(isUsed);
  const others = schemes.filter((scheme) => !isUsed(scheme));
  const fields = (scheme: SecurityScheme) => (
    <SchemeFields
      key={scheme.name}
      scheme={scheme}
      tools={sums.credentials.get(scheme.name) ?? 0}
      isStored={storedNames.has(scheme.name.toLowerCase())}
      state={state}
    />
  );
  return (
    <Card
      title="Credentials"
      description="Stored encrypted, once for all tools, and never sent to a model. You can leave them empty and add them later."
    >
      {used.length > 0 && <div class="import-schemes">{used.map(fields)}</div>}
      {others.length > 0 && (
        <Disclosure summary={`${plural(others.length, 'scheme')} that no selected tool uses`}>
          <div class="import-schemes">{others.map(fields)}</div>
        </Disclosure>
      )}
    </Card>
  );
}

interface SchemeFieldsProps {
  scheme: SecurityScheme;
  /** Selected tools that use it. */
  tools: number;
  isStored: boolean;
  state: ApiImportState;
}

function SchemeFields({ scheme, tools, isStored, state }: SchemeFieldsProps) {
  const { name, auth_type, supported } = scheme;
  const { credentials, setCredentials } = state;
  const typed = credentials[name] ?? {};
  const destination = schemeDestination(scheme);
  const label = isAuthType(auth_type) ? authLabels[auth_type] : auth_type;
  return (
    <fieldset class="import-scheme">
      <legend class="row import-scheme-name">
        <code>{name}</code>
        {supported ? <span class="muted small">{label}</span> : <Badge tone="warn">not supported</Badge>}
        <span class="muted small">{plural(tools, 'selected tool')}</span>
        {isStored && <Badge tone="good">stored</Badge>}
      </legend>
      {destination && <p class="muted small import-url">{destination}</p>}
      {supported && scheme.needs.length === 0 && (
        <p class="muted small">The document contains the values. They are stored encrypted when you import.</p>
      )}
      {supported && (
        <div class="grid">
          {schemeFields(scheme).map((field) => (
            <CredentialInput
              key={field.name}
              field={isStored ? { ...field, placeholder: 'unchanged' } : field}
              value={typed[field.name] ?? ''}
              onValue={(value) => setCredentials({ ...credentials, [name]: { ...typed, [field.name]: value } })}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
