/** Who made a call: a user, a person (subject) of an external issuer, an endpoint key, or an unknown caller. */
import type { Call } from '../api/types';

export type Caller = Call['caller'];

const kindLabels: Record<string, string> = { user: 'user', subject: 'person', key: 'key' };

/** The kind of a caller, in a word; empty for an unknown caller. */
export function callerKind({ kind }: Pick<Caller, 'kind'>): string {
  return kindLabels[kind] ?? '';
}

/** The name, or kind and id if the name is unknown; `no key` for an unknown caller. */
export function callerName({ kind, id, name }: Caller): string {
  if (name) return name;
  return id === null ? 'no key' : `${kindLabels[kind] ?? kind} ${id}`;
}

/** `Ada (user)`, for lists that show callers of all kinds. */
export function callerLabel(caller: Caller): string {
  const kind = callerKind(caller);
  return kind === '' || !caller.name ? callerName(caller) : `${caller.name} (${kind})`;
}

/** The value of the filter `caller`: `user:7`, `subject:9`, `key:4` or `none`. */
export function callerFilter({ kind, id }: Pick<Caller, 'kind' | 'id'>): string {
  return id === null ? kind : `${kind}:${id}`;
}

/** The filter in a query string; empty if the API would reject it. */
export function readCaller(text: string | null): string {
  return text !== null && /^(none|(user|subject|key):[1-9]\d{0,18})$/.test(text) ? text : '';
}

export interface CallerOption {
  value: string;
  label: string;
}

/** Adds the callers of some calls to the options, sorted by label. Returns the same list if all are known. */
export function addCallers(known: readonly CallerOption[], callers: readonly Caller[]): readonly CallerOption[] {
  const options = new Map(known.map((option) => [option.value, option]));
  for (const caller of callers) {
    const value = callerFilter(caller);
    if (!options.has(value)) options.set(value, { value, label: callerLabel(caller) });
  }
  if (options.size === known.length) return known;
  return [...options.values()].sort((a, b) => a.label.localeCompare(b.label));
}
