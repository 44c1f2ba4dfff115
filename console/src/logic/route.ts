/** Path patterns: `/servers/:id/tools/:tool`. Parameters are ids, which are integers from 1. */
import { readId } from './id';

export type Params<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: number } & Params<Rest>
  : Pattern extends `${string}:${infer Name}`
    ? { [Key in Name]: number }
    : Record<never, never>;

/** The parameters of a path, or undefined if it does not match. A trailing slash is ignored. */
export function matchPath(pattern: string, path: string): Record<string, number> | undefined {
  const expected = segments(pattern);
  const actual = segments(path);
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, number> = {};
  for (const [index, segment] of expected.entries()) {
    const value = actual[index] ?? '';
    if (!segment.startsWith(':')) {
      if (segment !== value) return undefined;
    } else {
      const id = readId(value);
      if (id === undefined) return undefined;
      params[segment.slice(1)] = id;
    }
  }
  return params;
}

function segments(path: string): string[] {
  return path.replace(/^\/|\/$/g, '').split('/');
}
