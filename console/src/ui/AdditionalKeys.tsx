/** Keys that are sent together with another credential. The last row is always empty. */
import { keyField, keyRows } from '../logic/additional-keys';
import { Disclosure } from './Disclosure';
import './AdditionalKeys.css';

export interface AdditionalKeysProps {
  values: Readonly<Record<string, string>>;
  onValue: (name: string, value: string) => void;
}

const locations = { header: 'Header', query: 'Query', cookie: 'Cookie', path: 'Path' };

export function AdditionalKeys({ values, onValue }: AdditionalKeysProps) {
  const rows = keyRows(values);
  return (
    <Disclosure summary="Additional API keys" open={rows.length > 1}>
      {rows.map((row, index) => (
        // The index is the only stable key: names change with every keystroke.
        <div key={index} class="additional-keys-row">
          <input
            class="control control-mono"
            aria-label={`Name of key ${index + 1}`}
            placeholder="X-App-Id"
            autocomplete="off"
            value={row.key_name}
            onInput={(event) => onValue(keyField(index, 'key_name'), event.currentTarget.value)}
          />
          <input
            class="control control-mono"
            type="password"
            aria-label={`Value of key ${index + 1}`}
            placeholder="Key"
            autocomplete="new-password"
            value={row.key_value}
            onInput={(event) => onValue(keyField(index, 'key_value'), event.currentTarget.value)}
          />
          <select
            class="control"
            aria-label={`Location of key ${index + 1}`}
            value={row.key_location}
            onChange={(event) => onValue(keyField(index, 'key_location'), event.currentTarget.value)}
          >
            {Object.entries(locations).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      ))}
      <p class="muted small">Sent with every call, together with the credential above.</p>
    </Disclosure>
  );
}
