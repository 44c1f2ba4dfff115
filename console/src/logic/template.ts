/** Placeholders in prompts and static resources: `{{name}}`. */

export interface Argument {
  name: string;
  description: string;
  required: boolean;
  /** Completion values. */
  values: string[];
}

/** A piece of a template: literal text, or a placeholder with its name. */
export type Piece = { text: string } | { text: string; name: string };

/** Splits the template at its placeholders as the service does: only the innermost pair of nested braces is one. */
export function pieces(template: string): Piece[] {
  const result: Piece[] = [];
  let text = '';
  let rest = template;
  for (let end = rest.indexOf('}}'); end >= 0; end = rest.indexOf('}}')) {
    const start = rest.slice(0, end).lastIndexOf('{{');
    const name = start < 0 ? '' : rest.slice(start + 2, end).trim();
    if (name === '') text += rest.slice(0, end + 2);
    else {
      if (text + rest.slice(0, start) !== '') result.push({ text: text + rest.slice(0, start) });
      result.push({ text: rest.slice(start, end + 2), name });
      text = '';
    }
    rest = rest.slice(end + 2);
  }
  if (text + rest !== '') result.push({ text: text + rest });
  return result;
}

/** The distinct names in a template, in order. */
export function placeholders(template: string): string[] {
  return [...new Set(pieces(template).flatMap((piece) => ('name' in piece ? [piece.name] : [])))];
}

/** Fills in values. Braces in values are not expanded, and placeholders without a value stay. */
export function fill(template: string, values: Record<string, string>): string {
  return pieces(template)
    .map((piece) => ('name' in piece && Object.hasOwn(values, piece.name) ? values[piece.name] : piece.text))
    .join('');
}

/**
 * The arguments of a template: its placeholders in order, with the details of existing arguments; then described
 * arguments that are not in the template, so that a typing error in the template does not lose a description.
 */
export function argumentsFor(template: string, existing: readonly Argument[]): Argument[] {
  const names = placeholders(template);
  const named = names.map((name) => existing.find((argument) => argument.name === name) ?? newArgument(name));
  const others = existing.filter((argument) => !names.includes(argument.name) && isDescribed(argument));
  return [...named, ...others];
}

export function newArgument(name: string): Argument {
  return { name, description: '', required: true, values: [] };
}

function isDescribed({ description, values }: Argument): boolean {
  return description !== '' || values.length > 0;
}
