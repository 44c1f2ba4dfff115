/** A parameter: its schema, and where its value is sent. */
import {
  setDescription,
  setFile,
  setLocation,
  setRequired,
  setSecret,
  setType,
  setUpstreamName,
} from '../../logic/parameter-edits';
import { type Cell, cellError, pendingText, setCellText, withDefinition } from '../../logic/parameter-form';
import {
  defaultLocation,
  locations,
  mayBeFile,
  type Parameter,
  type ParameterDefinition,
  type ParameterLocation,
  tableTypes,
} from '../../logic/parameters';
import type { ToolForm } from '../../logic/tool-form';
import { placeholdersOf } from '../../logic/url-template';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { Select } from '../../ui/Select';
import { Checkbox } from '../../ui/Switch';
import { CellInput } from './CellInput';
import './ParameterRow.css';

export interface ParameterRowProps {
  parameter: Parameter;
  form: ToolForm;
  onForm: (form: ToolForm) => void;
  /** The API's error for the parameter's mapping. */
  error: string | undefined;
  isFirst: boolean;
  isLast: boolean;
  onMove: (steps: 1 | -1) => void;
  onRemove: () => void;
}

const typeLabels: Record<string, string> = { array: 'list of anything', any: 'anything' };
const typeLabel = (type: string) => typeLabels[type] ?? type.replace(/^(.*)\[\]$/, 'list of $1s');

export function ParameterRow(props: ParameterRowProps) {
  const { parameter, form, onForm, error } = props;
  const { name, locked } = parameter;
  const edit = (definition: ParameterDefinition) => onForm(withDefinition(form, definition));
  const cell = (id: Cell, label: string, value: string) => ({
    label,
    value: pendingText(form, name, id) ?? value,
    onText: (text: string) => onForm(setCellText(form, name, id, text)),
    error: cellError(form, name, id),
  });
  return (
    <li class="parameter">
      <div class="parameter-line">
        <CellInput {...cell('name', `Name of ${name}`, name)} placeholder="Name" mono />
        <TypeSelect parameter={parameter} onType={(type) => edit(setType(form, name, type))} />
        <LocationFields {...props} edit={edit} />
        <RowActions {...props} />
      </div>
      <div class="parameter-line parameter-more">
        <CellInput
          label={`Description of ${name}`}
          placeholder="Description for the model"
          value={parameter.description}
          onText={(text) => edit(setDescription(form, name, text))}
          disabled={locked}
        />
        <CellInput
          {...cell('default', `Default of ${name}`, parameter.default)}
          placeholder="Default"
          mono
          disabled={locked}
        />
        <CellInput
          {...cell('enum', `Allowed values of ${name}`, parameter.enum)}
          placeholder="Allowed values: a, b, c"
          mono
          disabled={locked}
        />
        <div class="parameter-checks">
          <Checkbox
            label="Required"
            checked={parameter.required}
            onValue={(required) => edit(setRequired(form, name, required))}
          />
          <Checkbox
            label="Secret"
            checked={parameter.secret}
            onValue={(secret) => edit(setSecret(form, name, secret))}
            disabled={locked}
          />
          {(parameter.file || mayBeFile(parameter, form.body_type, defaultTarget(props))) && (
            <Checkbox
              label="File"
              checked={parameter.file}
              onValue={(isFile) => edit(setFile(form, name, isFile))}
              disabled={locked}
            />
          )}
        </div>
      </div>
      {error && (
        <p class="field-error">
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
      {parameter.parent && <p class="parameter-extra">Sent inside {parameter.parent} in the body</p>}
      {parameter.style && <p class="parameter-extra">Sent as {parameter.style}</p>}
      {parameter.hiddenKeywords.length > 0 && (
        <p class="parameter-extra">Also in the schema: {parameter.hiddenKeywords.join(', ')}</p>
      )}
    </li>
  );
}

function TypeSelect({
  parameter,
  onType,
}: {
  parameter: Parameter;
  onType: (type: (typeof tableTypes)[number]) => void;
}) {
  const { name, type, typeText, locked } = parameter;
  const supported = tableTypes.map((value) => ({ value, label: typeLabel(value) }));
  // An unsupported type is listed as a disabled option.
  const options = type ? supported : [{ value: '' as const, label: typeText, disabled: true }, ...supported];
  return (
    <Select
      label={`Type of ${name}`}
      hideLabel
      value={type ?? ''}
      options={options}
      onValue={(value) => value !== '' && onType(value)}
      disabled={locked}
    />
  );
}

type EditProps = ParameterRowProps & { edit: (definition: ParameterDefinition) => void };

function isInUrl({ parameter, form }: ParameterRowProps): boolean {
  return placeholdersOf(form.endpoint_url).includes(parameter.upstreamName || parameter.name);
}

/** Where the value goes without a mapping. */
function defaultTarget(props: ParameterRowProps): ParameterLocation {
  return defaultLocation(props.form.http_method, isInUrl(props));
}

function LocationFields(props: EditProps) {
  const { parameter, form, edit } = props;
  const { name, location, upstreamName } = parameter;
  const target = defaultTarget(props);
  const options: { value: ParameterLocation | ''; label: string }[] = [
    { value: '', label: `Auto: ${locationLabel(target).toLowerCase()}` },
    ...locations.map((value) => ({ value, label: locationLabel(value) })),
  ];
  return (
    <>
      <Select
        label={`Location of ${name}`}
        hideLabel
        value={location ?? ''}
        options={options}
        onValue={(value) => edit(setLocation(form, name, value === '' ? undefined : value))}
        error={location === 'path' && !isInUrl(props) ? `The URL has no {${upstreamName || name}}.` : undefined}
      />
      <CellInput
        label={`Name of ${name} in the request`}
        placeholder={name}
        mono
        value={upstreamName}
        onText={(text) => edit(setUpstreamName(form, name, text, target))}
      />
    </>
  );
}

export function locationLabel(location: ParameterLocation): string {
  return { path: 'Path', query: 'Query', body: 'Body', header: 'Header', cookie: 'Cookie' }[location];
}

function RowActions({ parameter: { name }, isFirst, isLast, onMove, onRemove }: ParameterRowProps) {
  return (
    <div class="parameter-actions">
      <IconButton icon="arrow-up" label={`Move ${name} up`} disabled={isFirst} onClick={() => onMove(-1)} />
      <IconButton icon="arrow-down" label={`Move ${name} down`} disabled={isLast} onClick={() => onMove(1)} />
      <IconButton icon="trash" label={`Remove ${name}`} onClick={onRemove} />
    </div>
  );
}
