/** Keys that are sent together with a token, a password or an OAuth 2 credential. The form has them as flat values. */

export interface AdditionalKey {
  key_name: string;
  key_value: string;
  key_location: string;
}

/** The limit of the API. */
export const additionalKeysMax = 8;

/** Whether credentials of this type can have additional keys. The type `api-key` has its own fields for a key. */
export function takesAdditionalKeys(authType: string): boolean {
  return authType === 'bearer' || authType === 'basic' || authType === 'oauth2';
}

/** Name of a value in the form: `keys.0.key_name`. */
export function keyField(index: number, field: keyof AdditionalKey): string {
  return `keys.${index}.${field}`;
}

/** The rows of the form: all that are filled in, and an empty one. */
export function keyRows(values: Readonly<Record<string, string>>): AdditionalKey[] {
  const rows: AdditionalKey[] = [];
  for (let index = 0; index < additionalKeysMax; index += 1) {
    const value = (field: keyof AdditionalKey) => values[keyField(index, field)] ?? '';
    const row = { key_name: value('key_name'), key_value: value('key_value'), key_location: value('key_location') };
    rows.push({ ...row, key_location: row.key_location || 'header' });
    if (row.key_name === '' && row.key_value === '') break;
  }
  return rows;
}

/** The member `keys` of the credentials; undefined if no key is typed. */
export function additionalKeys(
  authType: string,
  values: Readonly<Record<string, string>>,
): AdditionalKey[] | undefined {
  if (!takesAdditionalKeys(authType)) return undefined;
  const typed = keyRows(values).filter(({ key_name, key_value }) => key_name !== '' || key_value !== '');
  return typed.length > 0 ? typed : undefined;
}
