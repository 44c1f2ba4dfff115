/** One field of a schema form, of any kind. */

import { type FormValue, isGroup, pathOf } from '../../logic/form-values';
import type { FormField, GroupField } from '../../logic/schema-form';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { Select } from '../../ui/Select';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';
import { FieldFrame } from './FieldFrame';

export interface ArgumentFieldProps<F extends FormField = FormField> {
  field: F;
  value: FormValue;
  onValue: (value: FormValue) => void;
  /** `arguments[city]`. */
  path: string;
  /** Errors by path. */
  errors: Record<string, string>;
}

export function ArgumentField(props: ArgumentFieldProps) {
  const { field } = props;
  switch (field.kind) {
    case 'group':
      return (
        <FieldFrame {...fieldProps(props)}>
          <GroupFields {...props} field={field} />
        </FieldFrame>
      );
    case 'list':
      return <ListField {...props} field={field} />;
    case 'choice':
    case 'boolean':
      return <ChoiceField {...props} field={field} />;
    default:
      return <TypedField {...props} field={field} />;
  }
}

export function GroupFields({ field, value, onValue, path, errors }: ArgumentFieldProps<GroupField>) {
  const values = isGroup(value) ? value : {};
  return (
    <>
      {field.fields.map(({ name, field: inner }) => (
        <ArgumentField
          key={name}
          field={inner}
          value={Object.hasOwn(values, name) ? values[name] : undefined}
          onValue={(changed) => onValue({ ...values, [name]: changed })}
          path={pathOf(path, name)}
          errors={errors}
        />
      ))}
    </>
  );
}

function ListField(props: ArgumentFieldProps<FormField & { kind: 'list' }>) {
  const { field, value, onValue, path, errors } = props;
  const items: readonly FormValue[] = Array.isArray(value) ? value : [];
  return (
    <FieldFrame {...fieldProps(props)}>
      {items.map((item, index) => (
        // Items have no id, so the index is the key.
        <div key={index} class="argument-item">
          <ArgumentField
            field={{ ...field.item, label: `${field.label} ${index + 1}` }}
            value={item}
            onValue={(changed) => onValue(items.with(index, changed))}
            path={pathOf(path, index)}
            errors={errors}
          />
          <IconButton
            icon="close"
            label={`Remove ${field.label} ${index + 1}`}
            onClick={() => onValue(items.filter((_, itemIndex) => itemIndex !== index))}
          />
        </div>
      ))}
      <div>
        <Button size="small" icon="plus" onClick={() => onValue([...items, undefined])}>
          Add
        </Button>
      </div>
    </FieldFrame>
  );
}

function ChoiceField(props: ArgumentFieldProps<FormField & { kind: 'choice' | 'boolean' }>) {
  const { field, value, onValue } = props;
  const isBoolean = field.kind === 'boolean';
  const choices = isBoolean ? [true, false] : field.options;
  const suggestion = placeholderOf(field);
  const emptyLabel = field.required ? 'Choose …' : suggestion ? `Omit (${suggestion})` : 'Omit';
  const options = [
    // A required boolean always has a value.
    ...(isBoolean && field.required ? [] : [{ value: '', label: emptyLabel }]),
    ...choices.map((option) => ({
      value: JSON.stringify(option),
      label: typeof option === 'string' ? option : JSON.stringify(option),
    })),
  ];
  const selected = typeof value === 'boolean' ? JSON.stringify(value) : typeof value === 'string' ? value : '';
  const choose = (text: string) => {
    if (text === '') onValue(undefined);
    else onValue(isBoolean ? text === 'true' : text);
  };
  return (
    <Select
      {...fieldProps(props)}
      value={selected === '' && isBoolean && field.required ? 'false' : selected}
      options={options}
      onValue={choose}
    />
  );
}

function TypedField(props: ArgumentFieldProps<FormField & { kind: 'text' | 'number' | 'json' }>) {
  const { field, value, onValue } = props;
  const text = typeof value === 'string' ? value : '';
  const shared = { ...fieldProps(props), value: text, onValue, placeholder: placeholderOf(field) };
  if (field.kind === 'number') return <TextField {...shared} mono />;
  if (field.kind === 'json') return <TextArea {...shared} mono rows={3} placeholder={shared.placeholder || 'JSON'} />;
  if (field.secret) return <TextField {...shared} type="password" autocomplete="new-password" />;
  // A text area, because an argument may contain line breaks.
  return <TextArea {...shared} rows={1} />;
}

function fieldProps({ field, path, errors }: ArgumentFieldProps) {
  return {
    label: field.label === '' ? '(no name)' : field.label,
    hint: field.description || undefined,
    error: Object.hasOwn(errors, path) ? errors[path] : undefined,
    optional: !field.required,
  };
}

function placeholderOf({ suggestion }: FormField): string {
  if (suggestion === undefined) return '';
  return typeof suggestion === 'string' ? suggestion : JSON.stringify(suggestion);
}
