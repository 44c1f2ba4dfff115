/** Fills in the shell variables of an imported command, whose values the importer cannot know. */
import type { CurlDraft, CurlKey } from './curl-draft';
import { splitUrl } from './url-parts';

/** Values by the variable as the command writes it, for example `$API_KEY`. */
export type VariableValues = Readonly<Record<string, string>>;

/** The variables without a value. */
export function missingVariables(draft: CurlDraft, values: VariableValues): string[] {
  return (draft.variables ?? []).map(({ text }) => text).filter((text) => givenValue(values, text) === '');
}

/** The draft with the given values in its credentials, headers and host. Variables without a value stay. */
export function fillVariables(draft: CurlDraft, values: VariableValues): CurlDraft {
  const texts = (draft.variables ?? []).map(({ text }) => text);
  if (texts.length === 0) return draft;
  // Longer names first: `$A` is the beginning of `$AB`.
  const sorted = texts.toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(sorted.map((text) => text.replace(/[^\w]/g, '\\$&')).join('|'), 'g');
  const fill = (text: string) => text.replace(pattern, (variable) => givenValue(values, variable) || variable);
  const { base } = splitUrl(draft.endpoint_url);
  const { auth_credentials: credentials } = draft;
  const fillCredential = (value: string | CurlKey[]) =>
    typeof value === 'string' ? fill(value) : value.map((key) => ({ ...key, key_value: fill(key.key_value) }));
  const credentialEntries = Object.entries(credentials).map(
    ([name, value]) => [name, name === 'key_name' ? value : fillCredential(value)] as const,
  );
  return {
    ...draft,
    endpoint_url: fill(base) + draft.endpoint_url.slice(base.length),
    headers: Object.fromEntries(Object.entries(draft.headers).map(([name, value]) => [name, fill(value)])),
    auth_credentials: Object.fromEntries(credentialEntries),
    warnings: (draft.warnings ?? []).filter((warning) => !isAboutVariable(warning, fill(base) !== base)),
  };
}

/** The form asks for the values, so the importer's warnings about them are not shown. */
function isAboutVariable(warning: string, isHostFilled: boolean): boolean {
  if (/is a shell variable and is not expanded|contains a shell variable or command substitution/.test(warning)) {
    return true;
  }
  return isHostFilled && warning.startsWith('The host of the URL looks like a placeholder');
}

function givenValue(values: VariableValues, text: string): string {
  return Object.hasOwn(values, text) ? (values[text] ?? '') : '';
}
