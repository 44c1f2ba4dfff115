/** Fields for tokens of an external issuer. */
import { Disclosure } from '../../../ui/Disclosure';
import { Checkbox } from '../../../ui/Switch';
import { TextArea } from '../../../ui/TextArea';
import { TextField } from '../../../ui/TextField';
import { AllowRules } from './AllowRules';
import type { OAuthFieldsProps } from './BuiltInFields';

export interface ExternalFieldsProps extends OAuthFieldsProps {
  endpointUrl: string;
}

const claimKeys = ['subject_claim', 'name_claim', 'scope_read', 'scope_write', 'verify'];

export function ExternalFields({ values, set, errors, endpointUrl }: ExternalFieldsProps) {
  return (
    <>
      <TextField
        label="Issuer URL"
        type="url"
        mono
        placeholder="https://login.example.com/realms/main"
        hint="Exactly as in the tokens of the issuer, including a slash at the end."
        value={values.issuerUrl}
        onValue={(issuerUrl) => set({ issuerUrl })}
        error={errors.issuer}
      />
      <TextArea
        label="Audience"
        optional
        mono
        rows={2}
        placeholder={endpointUrl}
        hint="One per line. A token must be issued for one of them. Empty: for the address of this server."
        value={values.audience}
        onValue={(audience) => set({ audience })}
        error={errors.audience}
      />
      <AllowRules rules={values.allow} onRules={(allow) => set({ allow })} error={errors.allow} />
      <Disclosure summary="Claims, scopes and verification" open={claimKeys.some((key) => errors[key] !== undefined)}>
        <div class="stack">
          <div class="grid">
            <TextField
              label="Claim that identifies a person"
              mono
              placeholder="sub"
              hint="Entra: oid."
              value={values.subjectClaim}
              onValue={(subjectClaim) => set({ subjectClaim })}
              error={errors.subject_claim}
            />
            <TextField
              label="Claim with the name"
              optional
              mono
              placeholder="preferred_username"
              hint="Only for display in the call log."
              value={values.nameClaim}
              onValue={(nameClaim) => set({ nameClaim })}
              error={errors.name_claim}
            />
          </div>
          <div class="grid">
            <TextField
              label="Scope for reading"
              optional
              mono
              hint="Every request needs it, unless the token has the scope for changing. Empty: no scope is needed."
              value={values.scopeRead}
              onValue={(scopeRead) => set({ scopeRead })}
              error={errors.scope_read}
            />
            <TextField
              label="Scope for changing"
              optional
              mono
              hint="Tools that change something need it. Empty: no further scope is needed."
              value={values.scopeWrite}
              onValue={(scopeWrite) => set({ scopeWrite })}
              error={errors.scope_write}
            />
          </div>
          <Checkbox
            label="Check the issuer when you save"
            hint="Reads its metadata and keys. Switch it off if the issuer is not reachable yet."
            checked={values.verify}
            onValue={(verify) => set({ verify })}
          />
        </div>
      </Disclosure>
    </>
  );
}
