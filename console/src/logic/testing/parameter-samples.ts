/** Random schemas and mappings for tests, deterministic by seed. */
import type { JsonObject } from '../json';
import type { ParameterDefinition } from '../parameters';

/** Pseudo-random numbers from 0 to 1 (a linear congruential generator). */
function randomNumbers(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state | 0, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const names = ['city', 'zip code', '', 'a.b', '<img src=x>', 'toString', '__proto__', 'مدينة', 'x'.repeat(255), 'days'];
const types = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null', ['string', 'null'], 'strange'];
const values = ['a', '', '""', 'a, b', '[', 0, -1.5, true, null, [1], { k: 'v' }];
const words: JsonObject = {
  pattern: '^a',
  minLength: 2,
  format: 'password',
  writeOnly: true,
  'x-secret': true,
  'x-own': { deep: [{ more: null }] },
  oneOf: [{ type: 'string' }, false],
  $ref: '#/$defs/it',
  examples: ['e'],
  items: { type: 'string', maxLength: 3 },
  title: 'T',
  deprecated: true,
};

export function sampleDefinition(seed: number): ParameterDefinition {
  const next = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const maybe = (share: number) => next() < share;
  const shuffled = (entries: [string, unknown][]): JsonObject =>
    Object.fromEntries(
      entries
        .map((entry) => ({ entry, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ entry }) => entry),
    );

  const property = (): unknown => {
    if (maybe(0.05)) return maybe(0.5);
    const entries: [string, unknown][] = [];
    if (maybe(0.8)) entries.push(['type', pick(types)]);
    if (maybe(0.5)) entries.push(['description', maybe(0.9) ? 'Says what it is.' : 5]);
    if (maybe(0.4)) entries.push(['default', pick(values)]);
    if (maybe(0.3)) entries.push(['enum', [pick(values), pick(values)]]);
    if (maybe(0.2)) entries.push(['items', pick([{ type: 'string' }, { type: 'integer', minimum: 1 }, true, []])]);
    for (const word of Object.keys(words)) if (maybe(0.12)) entries.push([word, words[word]]);
    return shuffled(entries);
  };
  const chosen = names.filter(() => maybe(0.5));
  const properties = Object.fromEntries(chosen.map((name) => [name, property()]));
  const root: [string, unknown][] = [['type', 'object']];
  if (maybe(0.95)) root.push(['properties', properties]);
  if (maybe(0.7)) root.push(['required', [...chosen.filter(() => maybe(0.4)), ...(maybe(0.2) ? ['stray'] : [])]]);
  for (const word of ['$defs', 'additionalProperties', 'dependentRequired', 'allOf', 'x-own', '$schema'])
    if (maybe(0.25)) root.push([word, { preserved: [word] }]);
  const mapped = [...names, 'stray mapping'].filter(() => maybe(0.4));
  const mapping = mapped.map((name): [string, unknown] => {
    const entry: [string, unknown][] = [['location', pick(['path', 'query', 'body', 'header', 'headers', 'moon'])]];
    if (maybe(0.4)) entry.push(['name', 'upstream']);
    if (maybe(0.2)) entry.push(['x-own', 1]);
    return [name, maybe(0.05) ? 'no object' : shuffled(entry)];
  });
  return { schema: shuffled(root), mapping: Object.fromEntries(mapping) };
}
