/** Asks for the values of the command's shell variables. */
import type { CurlVariable } from '../../logic/curl-draft';
import { Card } from '../../ui/Card';
import { TextField } from '../../ui/TextField';

export interface VariableFieldsProps {
  variables: readonly CurlVariable[];
  /** The entered values, by the variable as the command writes it, for example `$API_KEY`. */
  values: Readonly<Record<string, string>>;
  onValues: (values: Record<string, string>) => void;
}

export function VariableFields({ variables, values, onValues }: VariableFieldsProps) {
  if (variables.length === 0) return null;
  return (
    <Card
      title="Variables"
      description="The command takes these values from your shell, where Toolgate cannot read them."
    >
      {variables.map(({ text, secret }) => (
        <TextField
          key={text}
          label={`Value of ${text}`}
          type={secret ? 'password' : 'text'}
          autocomplete={secret ? 'new-password' : 'off'}
          mono
          required
          hint={secret ? 'Stored encrypted with the tool and never shown again.' : undefined}
          value={Object.hasOwn(values, text) ? (values[text] ?? '') : ''}
          onValue={(value) => onValues({ ...values, [text]: value })}
        />
      ))}
    </Card>
  );
}
