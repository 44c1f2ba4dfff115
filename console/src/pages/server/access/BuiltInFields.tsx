/** Fields for sign-in at this service: which people may use the server, and the lifetime of their tokens. */
import { accessOptions, type OAuthForm, tokenLifetimeOptions } from '../../../logic/oauth-form';
import { RadioCards } from '../../../ui/RadioCards';
import { Select } from '../../../ui/Select';

export interface OAuthFieldsProps {
  values: OAuthForm;
  set: (part: Partial<OAuthForm>) => void;
  /** Errors by key of `settings.oauth`. */
  errors: Record<string, string>;
}

export function BuiltInFields({ values, set, errors }: OAuthFieldsProps) {
  return (
    <>
      <div class="stack stack-tight">
        <RadioCards
          label="Which people"
          value={values.access}
          options={accessOptions}
          onValue={(access) => set({ access })}
        />
        {errors.access && <p class="field-error">{errors.access}</p>}
        <p class="field-hint">If you take access away from people, the apps that they connected lose it, too.</p>
      </div>
      <Select
        label="Lifetime of access tokens"
        hint="Clients renew them automatically. A longer lifetime is safe, because access that has ended is refused immediately. Choose 24 hours if claude.ai loses connections."
        value={values.tokenLifetime}
        options={tokenLifetimeOptions(values.tokenLifetime)}
        onValue={(tokenLifetime) => set({ tokenLifetime })}
        error={errors.access_token_ttl}
      />
    </>
  );
}
