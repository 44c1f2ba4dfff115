/** A value that is sent with every call. */
import { removeFixedValue, setFixedValue, setLocation, setUpstreamName } from '../../logic/parameter-edits';
import { withDefinition } from '../../logic/parameter-form';
import { type FixedValue, locations, type ParameterDefinition } from '../../logic/parameters';
import type { ToolForm } from '../../logic/tool-form';
import { placeholdersOf } from '../../logic/url-template';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { Select } from '../../ui/Select';
import { CellInput } from './CellInput';
import { locationLabel } from './ParameterRow';

export interface FixedValueRowProps {
  fixed: FixedValue;
  form: ToolForm;
  onForm: (form: ToolForm) => void;
  /** The API's error for the rule. */
  error: string | undefined;
}

const locationOptions = locations.map((value) => ({ value, label: locationLabel(value) }));

export function FixedValueRow({ fixed, form, onForm, error }: FixedValueRowProps) {
  const { key, location = 'query', upstreamName, parent, style, value } = fixed;
  const edit = (definition: ParameterDefinition) => onForm(withDefinition(form, definition));
  const name = upstreamName || key;
  const isMissing = location === 'path' && !placeholdersOf(form.endpoint_url).includes(name);
  return (
    <li class="parameter">
      <div class="parameter-line">
        <CellInput
          label={`Fixed value of ${key}`}
          placeholder="Text or JSON"
          mono
          value={value}
          onText={(text) => edit(setFixedValue(form, key, text))}
        />
        <span class="parameter-fixed">Fixed</span>
        <Select
          label={`Location of ${key}`}
          hideLabel
          value={location}
          options={locationOptions}
          onValue={(to) => edit(setLocation(form, key, to))}
          error={isMissing ? `The URL has no {${name}}.` : undefined}
        />
        <CellInput
          label={`Name of ${key} in the request`}
          placeholder={key}
          mono
          value={upstreamName}
          onText={(text) => edit(setUpstreamName(form, key, text, location))}
        />
        <div class="parameter-actions">
          <IconButton icon="trash" label={`Remove ${key}`} onClick={() => edit(removeFixedValue(form, key))} />
        </div>
      </div>
      {error && (
        <p class="field-error">
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
      {parent && <p class="parameter-extra">Sent inside {parent} in the body</p>}
      {style && <p class="parameter-extra">Sent as {style}</p>}
    </li>
  );
}
