/** One field of a credential: text, a secret or a choice. */
import type { CredentialField } from '../logic/credentials';
import { Select } from './Select';
import { TextField } from './TextField';

export interface CredentialInputProps {
  field: CredentialField;
  value: string;
  onValue: (value: string) => void;
  error?: string | undefined;
}

export function CredentialInput({ field, value, onValue, error }: CredentialInputProps) {
  const { label, options, secret = false, optional, placeholder } = field;
  if (options) return <Select label={label} value={value} options={options} onValue={onValue} error={error} />;
  return (
    <TextField
      label={label}
      type={secret ? 'password' : 'text'}
      autocomplete={secret ? 'new-password' : 'off'}
      mono
      optional={optional}
      placeholder={placeholder}
      value={value}
      onValue={onValue}
      error={error}
    />
  );
}
