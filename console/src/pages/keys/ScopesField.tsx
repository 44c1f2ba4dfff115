import { useId } from 'preact/hooks';
import { type Scope, scopes } from '../../logic/access';
import { Checkbox } from '../../ui/Switch';

export interface ScopesFieldProps {
  chosenScopes: readonly Scope[];
  onScope: (scope: Scope, on: boolean) => void;
  error: string | undefined;
}

export function ScopesField({ chosenScopes, onScope, error }: ScopesFieldProps) {
  const id = useId();
  return (
    <fieldset class="stack stack-tight" aria-describedby={error ? id : undefined}>
      <legend class="field-label keys-legend">Scopes</legend>
      {scopes.map(({ value, label, text }) => (
        <Checkbox
          key={value}
          label={label}
          hint={text}
          checked={chosenScopes.includes(value)}
          onValue={(on) => onScope(value, on)}
        />
      ))}
      {error && (
        <p id={id} class="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
