/** Assigns the errors of a response to form fields. */

export interface FormErrors {
  /** By field name. */
  fields: Record<string, string>;
  /** Errors without a field; undefined if there are none. */
  general: string | undefined;
}

/**
 * The error of `arguments[city]` belongs to the field `arguments[city]` if the form has one, else to `arguments`. The
 * form shows errors without a field above its fields.
 */
export function assignErrors(
  message: string,
  params: Record<string, string>,
  fieldNames: readonly string[],
): FormErrors {
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const [param, error] of Object.entries(params)) {
    const name = [param, param.replace(/[[.].*$/s, '')].find((candidate) => fieldNames.includes(candidate));
    if (name === undefined) others.push(error);
    else fields[name] = name in fields ? `${fields[name]} ${error}` : error;
  }
  if (Object.keys(params).length === 0) return { fields, general: message };
  return { fields, general: others.length === 0 ? undefined : others.join(' ') };
}
