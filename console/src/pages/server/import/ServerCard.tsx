/** The server of the document that the tools call, and its variables. */
import type { ApiImport, ApiServer, ServerVariable } from '../../../logic/api-import';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { KeyValueEditor } from '../../../ui/KeyValueEditor';
import { Select } from '../../../ui/Select';
import { TextField } from '../../../ui/TextField';
import type { ApiImportState, ServerOptions } from './use-api-import';

const otherUrl = 'other';

export function ServerCard({ state, report }: { state: ApiImportState; report: ApiImport }) {
  const { server: options, setServer, error } = state;
  const { servers, server_url } = report;
  const chosen = options.index === undefined ? undefined : servers[options.index];
  const isOther = chosen === undefined;
  const needsUrl = report.problems.some(({ code }) => code === 'no_server');
  const choices = [
    ...servers.map((server, index) => ({ value: String(index), label: serverLabel(server) })),
    { value: otherUrl, label: 'Another URL…' },
  ];
  const choose = (value: string) =>
    setServer({ ...options, index: value === otherUrl ? undefined : Number(value), baseUrl: '', variables: {} });
  return (
    <Card title="Server" description="Where the tools send their requests.">
      {servers.length > 0 && (
        <Select
          label="Server of the document"
          hideLabel
          value={isOther ? otherUrl : String(options.index)}
          options={choices}
          onValue={choose}
          error={error?.params.server_index}
        />
      )}
      {(isOther || needsUrl) && (
        <TextField
          label="URL of the API"
          mono
          type="url"
          placeholder="https://api.example.com/v1"
          value={options.baseUrl}
          onValue={(baseUrl) => setServer({ ...options, baseUrl })}
          error={error?.params.base_url}
        />
      )}
      {chosen && <Variables server={chosen} options={options} onOptions={setServer} errors={error?.params ?? {}} />}
      {needsUrl && (
        <Callout tone="warn">The document names no complete server address. Enter the URL of the API.</Callout>
      )}
      {report.format === 'postman' && (
        <>
          <KeyValueEditor
            label="Variables of the collection"
            pairs={options.collection}
            onPairs={(collection) => setServer({ ...options, collection })}
          />
          <p class="muted small">Values that the collection does not have, such as baseUrl. They are not stored.</p>
        </>
      )}
      {server_url && !needsUrl && (
        <p class="muted small import-url">
          Tools call <code>{server_url}</code>
        </p>
      )}
    </Card>
  );
}

function serverLabel({ url, description }: ApiServer): string {
  return description ? `${url}: ${description}`.slice(0, 160) : url.slice(0, 160);
}

interface VariablesProps {
  server: ApiServer;
  options: ServerOptions;
  onOptions: (options: ServerOptions) => void;
  /** By parameter of the API. */
  errors: Readonly<Record<string, string>>;
}

function Variables({ server, options, onOptions, errors }: VariablesProps) {
  const variables = Object.entries(server.variables ?? {});
  if (variables.length === 0) return null;
  const set = (name: string, value: string) =>
    onOptions({ ...options, variables: { ...options.variables, [name]: value } });
  return (
    <div class="grid">
      {variables.map(([name, variable]) => (
        <VariableField
          key={name}
          name={name}
          variable={variable}
          value={options.variables[name] ?? ''}
          onValue={(value) => set(name, value)}
          error={errors[`server_variables[${name}]`]}
        />
      ))}
    </div>
  );
}

interface VariableFieldProps {
  name: string;
  variable: ServerVariable;
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

function VariableField({ name, variable, value, onValue, error }: VariableFieldProps) {
  const initial = variable.default === undefined ? '' : String(variable.default);
  const hint = typeof variable.description === 'string' ? variable.description.slice(0, 300) : undefined;
  if (Array.isArray(variable.enum) && variable.enum.length > 0) {
    const options = variable.enum.map((choice) => ({ value: String(choice), label: String(choice) }));
    return (
      <Select label={name} hint={hint} value={value || initial} options={options} onValue={onValue} error={error} />
    );
  }
  return (
    <TextField label={name} hint={hint} mono placeholder={initial} value={value} onValue={onValue} error={error} />
  );
}
