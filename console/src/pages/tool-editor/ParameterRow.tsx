/** A parameter: what the model is told about it, and where its value goes. */
import {
  setDescription,
  setLocation,
  setRequired,
  setSecret,
  setType,
  setUpstreamName,
} from '../../logic/parameter-edits';
import { type Cell, cellFault, pendingText, typeInCell, withDefinition } from '../../logic/parameter-form';
import {
  type Definition,
  type Location,
  locations,
  type Parameter,
  tableTypes,
  usualLocation,
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
  /** What the API says about its mapping. */
  fault: string | undefined;
  first: boolean;
  last: boolean;
  onMove: (steps: 1 | -1) => void;
  onRemove: () => void;
}

const typeLabels: Record<string, string> = { array: 'list of anything', any: 'anything' };
const typeLabel = (type: string) => typeLabels[type] ?? type.replace(/^(.*)\[\]$/, 'list of $1s');

export function ParameterRow(props: ParameterRowProps) {
  const { parameter, form, onForm, fault } = props;
  const { name, locked } = parameter;
  const edit = (definition: Definition) => onForm(withDefinition(form, definition));
  const cell = (id: Cell, label: string, value: string) => ({
    label,
    value: pendingText(form, name, id) ?? value,
    onText: (text: string) => onForm(typeInCell(form, name, id, text)),
    error: cellFault(form, name, id),
  });
  return (
    <li class="parameter">
      <div class="parameter-line">
        <CellInput {...cell('name', `Name of ${name}`, name)} placeholder="Name" mono />
        <TypeSelect parameter={parameter} onType={(type) => edit(setType(form, name, type))} />
        <PlaceFields {...props} edit={edit} />
        <RowActions {...props} />
      </div>
      <div class="parameter-line parameter-more">
        <CellInput
          label={`Description of ${name}`}
          placeholder="Description: what the model should put here"
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
          placeholder="Allowed: a, b, c"
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
        </div>
      </div>
      {fault && (
        <p class="field-error">
          <Icon name="warning" />
          <span>{fault}</span>
        </p>
      )}
      {parameter.more.length > 0 && <p class="parameter-kept">Also in the schema: {parameter.more.join(', ')}</p>}
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
  const known = tableTypes.map((value) => ({ value, label: typeLabel(value) }));
  // What the table has no word for can be left, not chosen.
  const options = type ? known : [{ value: '' as const, label: typeText, disabled: true }, ...known];
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

type EditProps = ParameterRowProps & { edit: (definition: Definition) => void };

function PlaceFields({ parameter, form, edit }: EditProps) {
  const { name, location, upstreamName } = parameter;
  const inUrl = placeholdersOf(form.endpointUrl).includes(upstreamName || name);
  const usual = usualLocation(form.method, inUrl);
  const options: { value: Location | ''; label: string }[] = [
    { value: '', label: `Auto: ${placeLabel(usual).toLowerCase()}` },
    ...locations.map((value) => ({ value, label: placeLabel(value) })),
  ];
  return (
    <>
      <Select
        label={`Where ${name} goes`}
        hideLabel
        value={location ?? ''}
        options={options}
        onValue={(value) => edit(setLocation(form, name, value === '' ? undefined : value))}
        error={location === 'path' && !inUrl ? `The URL has no {${upstreamName || name}}.` : undefined}
      />
      <CellInput
        label={`Name of ${name} in the request`}
        placeholder={`as ${name}`}
        mono
        value={upstreamName}
        onText={(text) => edit(setUpstreamName(form, name, text, usual))}
      />
    </>
  );
}

function placeLabel(location: Location): string {
  return { path: 'Path', query: 'Query', body: 'Body', header: 'Header' }[location];
}

function RowActions({ parameter: { name }, first, last, onMove, onRemove }: ParameterRowProps) {
  return (
    <div class="parameter-actions">
      <IconButton icon="arrow-up" label={`Move ${name} up`} disabled={first} onClick={() => onMove(-1)} />
      <IconButton icon="arrow-down" label={`Move ${name} down`} disabled={last} onClick={() => onMove(1)} />
      <IconButton icon="trash" label={`Remove ${name}`} onClick={onRemove} />
    </div>
  );
}
