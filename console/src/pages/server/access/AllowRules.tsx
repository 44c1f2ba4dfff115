/** Conditions on the claims of a token. All of them must hold. */
import { useId } from 'preact/hooks';
import type { AllowRule } from '../../../logic/oauth-form';
import { Button } from '../../../ui/Button';
import { Icon } from '../../../ui/Icon';
import { IconButton } from '../../../ui/IconButton';

export interface AllowRulesProps {
  rules: readonly AllowRule[];
  onRules: (rules: readonly AllowRule[]) => void;
  error: string | undefined;
}

export function AllowRules({ rules, onRules, error }: AllowRulesProps) {
  const id = useId();
  const change = (at: number, part: Partial<AllowRule>) =>
    onRules(rules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  const drop = (at: number) => onRules(rules.filter((_, index) => index !== at));
  const describedBy = error ? `${id}-hint ${id}-error` : `${id}-hint`;
  return (
    <fieldset class="stack stack-tight" aria-describedby={describedBy}>
      <legend class="field-label access-legend">
        Rules<span class="field-optional">optional</span>
      </legend>
      {rules.map((rule, index) => (
        <div key={index} class="access-rule">
          <input
            class="control control-mono"
            aria-label={`Claim of rule ${index + 1}`}
            placeholder="groups"
            value={rule.claim}
            onInput={(event) => change(index, { claim: event.currentTarget.value })}
          />
          <span class="access-rule-text">is one of</span>
          <input
            class="control control-mono"
            aria-label={`Values of rule ${index + 1}, separated by commas`}
            placeholder="mcp, staff"
            value={rule.values}
            onInput={(event) => change(index, { values: event.currentTarget.value })}
          />
          <IconButton icon="close" label={`Remove rule ${index + 1}`} onClick={() => drop(index)} />
        </div>
      ))}
      <div>
        <Button size="small" icon="plus" onClick={() => onRules([...rules, { claim: '', values: '' }])}>
          Add rule
        </Button>
      </div>
      {error && (
        <p id={`${id}-error`} class="field-error">
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
      <p id={`${id}-hint`} class="field-hint">
        Without rules, everyone to whom the issuer gives a token for this server may use it. With several rules, all
        must hold.
      </p>
    </fieldset>
  );
}
