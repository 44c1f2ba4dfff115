/** Authentication type and credential. A stored credential is never shown, only replaced. */
import { takesAdditionalKeys } from '../../logic/additional-keys';
import {
  type AuthType,
  authOptions,
  type CredentialForm,
  credentialFields,
  initialValues,
} from '../../logic/credentials';
import { AdditionalKeys } from '../../ui/AdditionalKeys';
import { Button } from '../../ui/Button';
import { CredentialInput } from '../../ui/CredentialInput';
import { Icon } from '../../ui/Icon';
import { type Option, Select } from '../../ui/Select';

export interface CredentialFieldsProps {
  label: string;
  value: CredentialForm;
  onValue: (value: CredentialForm) => void;
  /** Type of the stored credential. */
  stored: AuthType;
  /** The types to choose from. */
  options?: readonly Option<AuthType>[] | undefined;
  hint?: string | undefined;
  error?: string | undefined;
}

export function CredentialFields(props: CredentialFieldsProps) {
  const { label, value, onValue, stored, options = authOptions, hint, error } = props;
  const { authType, values } = value;
  const choose = (next: AuthType) =>
    onValue({ authType: next, values: next === 'none' || next === stored ? undefined : initialValues(next) });
  return (
    <div class="stack stack-tight">
      <Select label={label} hint={hint} error={error} value={authType} options={options} onValue={choose} />
      {authType !== 'none' && values === undefined && (
        <div class="row server-stored">
          <Icon name="lock" />
          <span class="grow">A credential is stored. It is encrypted and never shown.</span>
          <Button size="small" onClick={() => onValue({ authType, values: initialValues(authType) })}>
            Replace
          </Button>
        </div>
      )}
      {values !== undefined && (
        <div class="grid">
          {credentialFields[authType].map((field) => (
            <CredentialInput
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              onValue={(text) => onValue({ authType, values: { ...values, [field.name]: text } })}
            />
          ))}
        </div>
      )}
      {values !== undefined && takesAdditionalKeys(authType) && (
        <AdditionalKeys
          values={values}
          onValue={(name, text) => onValue({ authType, values: { ...values, [name]: text } })}
        />
      )}
    </div>
  );
}
