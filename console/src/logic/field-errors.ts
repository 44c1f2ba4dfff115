/** Which of a reply's faults belongs beside which field of a form, and what is left to say above it. */

export interface FormErrors {
  /** By the name of the field. */
  fields: Record<string, string>;
  /** What no field shows; undefined where the fields say it all. */
  general: string | undefined;
}

/**
 * `arguments[city]` belongs to `arguments[city]` where the form has such a field, else to `arguments`;
 * what belongs to no field is said above the form.
 */
export function sortErrors(message: string, params: Record<string, string>, names: readonly string[]): FormErrors {
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const [param, fault] of Object.entries(params)) {
    const name = [param, param.replace(/[[.].*$/s, '')].find((candidate) => names.includes(candidate));
    if (name === undefined) others.push(fault);
    else fields[name] = name in fields ? `${fields[name]} ${fault}` : fault;
  }
  if (Object.keys(params).length === 0) return { fields, general: message };
  return { fields, general: others.length === 0 ? undefined : others.join(' ') };
}
