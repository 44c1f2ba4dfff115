/** What the API says about a parameter, taken apart: `headers[A] is … headers[B] must …`. */

/** By the name in the brackets; what names none is at ''. */
export function splitFault(param: string, fault: string | undefined): Record<string, string> {
  if (fault === undefined) return {};
  const faults: Record<string, string> = {};
  const alternatives: string[] = [];
  const start = `${param}[`;
  let rest = fault;
  while (rest !== '') {
    const next = rest.indexOf(start, rest.startsWith(start) ? start.length : 0);
    const part = next < 0 ? rest : rest.slice(0, next);
    rest = next < 0 ? '' : rest.slice(next);
    const name = part.startsWith(start) ? part.slice(start.length, part.indexOf(']', start.length)) : '';
    const text = sayIt(part.startsWith(start) ? part.slice(start.length + name.length + 1) : part);
    // `a[x] or a[y] is required` is said about both.
    if (text === 'Or') alternatives.push(name);
    else for (const to of [...alternatives.splice(0), name]) faults[to] = to in faults ? `${faults[to]} ${text}` : text;
  }
  return faults;
}

/** Without the name of the parameter, which stands beside its field already. */
export function plainFault(param: string, fault: string): string {
  // That is for splitFault, which tells whose it is.
  if (fault.includes(`${param}[`)) return fault;
  const repeats = fault.startsWith(`${param} `) || fault.startsWith(`${param}:`);
  return sayIt(repeats ? fault.slice(param.length) : fault);
}

function sayIt(text: string): string {
  const plain = text.replace(/^:?\s*/, '').trim();
  if (/^(is|has)\b/.test(plain)) return `This ${plain}`;
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
