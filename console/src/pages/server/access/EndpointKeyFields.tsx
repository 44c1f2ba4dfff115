/** The fields of an endpoint key, for a new key and for a change. */
import { type EndpointKeyForm, keyExpiryOptions } from '../../../logic/endpoint-key-form';
import { utcDay } from '../../../logic/format';
import { Select } from '../../../ui/Select';
import { TextField } from '../../../ui/TextField';

export interface EndpointKeyFieldsProps {
  form: EndpointKeyForm;
  /** The stored expiry; null for a new key. */
  expiresAt: string | null;
  onForm: (form: EndpointKeyForm) => void;
  errors: Record<string, string>;
}

export function EndpointKeyFields({ form, expiresAt, onForm, errors }: EndpointKeyFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        placeholder="Cursor on my laptop"
        hint="Say which client uses the key."
        autofocus
        value={form.name}
        onValue={(name) => onForm({ ...form, name })}
        error={errors.name}
      />
      <Select
        label="Expires"
        value={form.expiry}
        options={keyExpiryOptions(expiresAt)}
        onValue={(expiry) => onForm({ ...form, expiry })}
        error={form.expiry === 'custom' ? undefined : errors.expires_at}
      />
      {form.expiry === 'custom' && (
        <TextField
          label="Last day"
          type="date"
          hint="The key works until the end of this day, UTC."
          min={utcDay(new Date())}
          value={form.day}
          onValue={(day) => onForm({ ...form, day })}
          error={errors.expires_at}
        />
      )}
      <TextField
        label="Requests per minute"
        type="number"
        optional
        min={1}
        hint="For this key, in addition to the limit of the server."
        value={form.limit}
        onValue={(limit) => onForm({ ...form, limit })}
        error={errors.rate_limit_per_min}
      />
    </>
  );
}
