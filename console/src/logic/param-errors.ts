/** Splits the API's error text for a parameter: `headers[A] is … headers[B] must …`. */

/**
 * Errors by the first name in brackets; text without a name has the key ''. Further names stay in the text, because one
 * field shows all of them: `m[a][0][b] is odd` becomes `a: '0.b is odd'`.
 */
export function splitParamError(param: string, error: string | undefined): Record<string, string> {
  if (error === undefined) return {};
  const errors: Record<string, string> = {};
  const alternatives: string[] = [];
  const start = `${param}[`;
  let rest = error;
  while (rest !== '') {
    const next = rest.indexOf(start, rest.startsWith(start) ? start.length : 0);
    const part = next < 0 ? rest : rest.slice(0, next);
    rest = next < 0 ? '' : rest.slice(next);
    const name = part.startsWith(start) ? part.slice(start.length, part.indexOf(']', start.length)) : '';
    const text = toText(part.startsWith(start) ? part.slice(start.length + name.length + 1) : part);
    // `a[x] or a[y] is required` applies to both.
    if (text === 'Or') alternatives.push(name);
    else for (const to of [...alternatives.splice(0), name]) errors[to] = to in errors ? `${errors[to]} ${text}` : text;
  }
  return errors;
}

/** Formats the text after the first name: as a sentence, or as the further names with their error. */
function toText(text: string): string {
  const [names = ''] = /^(\[[^\]]*\])+/.exec(text) ?? [];
  if (names === '') return toSentence(text);
  return `${names.slice(1, -1).replaceAll('][', '.')}${text.slice(names.length)}`.trim();
}

/** Removes the parameter's name, which the field label already shows. */
export function shortenParamError(param: string, error: string): string {
  // Such texts are left to splitParamError, which needs the names.
  if (error.includes(`${param}[`)) return error;
  const repeats = error.startsWith(`${param} `) || error.startsWith(`${param}:`);
  return toSentence(repeats ? error.slice(param.length) : error);
}

function toSentence(text: string): string {
  const plain = text.replace(/^:?\s*/, '').trim();
  if (/^(is|has)\b/.test(plain)) return `This ${plain}`;
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
