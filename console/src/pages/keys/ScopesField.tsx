import { useId } from 'preact/hooks';
import { type Scope, scopes } from '../../logic/access';
import { Checkbox } from '../../ui/Switch';

export interface ScopesFieldProps {
  offeredScopes: readonly Scope[];
  chosenScopes: readonly Scope[];
  onScope: (scope: Scope, on: boolean) => void;
  error: string | undefined;
}

export function ScopesField({ offeredScopes, chosenScopes, onScope, error }: ScopesFieldProps) {
  const id = useId();
  const offered = scopes.filter(({ value }) => offeredScopes.includes(value));
  return (
    <fieldset class="stack stack-tight" aria-describedby={error ? id : undefined}>
      <legend class="field-label keys-legend">Scopes</legend>
      {offered.map(({ value, label, text }) => (
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
