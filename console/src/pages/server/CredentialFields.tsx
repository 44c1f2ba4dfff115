/** Kind of authentication and its credential. A stored one is never shown, only replaced. */
import {
  type AuthType,
  authLabels,
  authTypes,
  type CredentialField,
  type CredentialForm,
  credentialFields,
  emptyValues,
} from '../../logic/credential-form';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';

export interface CredentialFieldsProps {
  label: string;
  value: CredentialForm;
  onValue: (value: CredentialForm) => void;
  /** The kind that has a credential stored. */
  stored: AuthType;
  hint?: string | undefined;
  error?: string | undefined;
}

export function CredentialFields({ label, value, onValue, stored, hint, error }: CredentialFieldsProps) {
  const { authType, values } = value;
  const choose = (next: AuthType) =>
    onValue({ authType: next, values: next === 'none' || next === stored ? undefined : emptyValues(next) });
  return (
    <div class="stack stack-tight">
      <Select
        label={label}
        hint={hint}
        error={error}
        value={authType}
        options={authTypes.map((type) => ({ value: type, label: authLabels[type] }))}
        onValue={choose}
      />
      {authType !== 'none' && values === undefined && (
        <div class="row server-stored">
          <Icon name="lock" />
          <span class="grow">A credential is stored. It is never shown.</span>
          <Button size="small" onClick={() => onValue({ authType, values: emptyValues(authType) })}>
            Replace
          </Button>
        </div>
      )}
      {values !== undefined && (
        <div class="grid">
          {credentialFields[authType].map((field) => (
            <OneField
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              onValue={(text) => onValue({ authType, values: { ...values, [field.name]: text } })}
            />
          ))}
        </div>
      )}
    </div>
  );
}

interface OneFieldProps {
  field: CredentialField;
  value: string;
  onValue: (value: string) => void;
}

function OneField({ field, value, onValue }: OneFieldProps) {
  if (field.options) return <Select label={field.label} value={value} options={field.options} onValue={onValue} />;
  return (
    <TextField
      label={field.label}
      type={field.secret ? 'password' : 'text'}
      autocomplete={field.secret ? 'new-password' : 'off'}
      mono
      optional={field.optional}
      placeholder={field.placeholder}
      value={value}
      onValue={onValue}
    />
  );
}
