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
const otherKeywords: JsonObject = {
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
  const chance = (probability: number) => next() < probability;
  const shuffled = (entries: [string, unknown][]): JsonObject =>
    Object.fromEntries(
      entries
        .map((entry) => ({ entry, order: next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ entry }) => entry),
    );

  const property = (): unknown => {
    if (chance(0.05)) return chance(0.5);
    const entries: [string, unknown][] = [];
    if (chance(0.8)) entries.push(['type', pick(types)]);
    if (chance(0.5)) entries.push(['description', chance(0.9) ? 'Says what it is.' : 5]);
    if (chance(0.4)) entries.push(['default', pick(values)]);
    if (chance(0.3)) entries.push(['enum', [pick(values), pick(values)]]);
    if (chance(0.2)) entries.push(['items', pick([{ type: 'string' }, { type: 'integer', minimum: 1 }, true, []])]);
    for (const keyword of Object.keys(otherKeywords)) if (chance(0.12)) entries.push([keyword, otherKeywords[keyword]]);
    return shuffled(entries);
  };
  const chosenNames = names.filter(() => chance(0.5));
  const properties = Object.fromEntries(chosenNames.map((name) => [name, property()]));
  const root: [string, unknown][] = [['type', 'object']];
  if (chance(0.95)) root.push(['properties', properties]);
  if (chance(0.7))
    root.push(['required', [...chosenNames.filter(() => chance(0.4)), ...(chance(0.2) ? ['stray'] : [])]]);
  for (const keyword of ['$defs', 'additionalProperties', 'dependentRequired', 'allOf', 'x-own', '$schema'])
    if (chance(0.25)) root.push([keyword, { preserved: [keyword] }]);
  const mapped = [...names, 'stray mapping'].filter(() => chance(0.4));
  const mapping = mapped.map((name): [string, unknown] => {
    const entry: [string, unknown][] = [['location', pick(['path', 'query', 'body', 'header', 'headers', 'moon'])]];
    if (chance(0.4)) entry.push(['name', 'upstream']);
    if (chance(0.2)) entry.push(['x-own', 1]);
    return [name, chance(0.05) ? 'no object' : shuffled(entry)];
  });
  return { input_schema: shuffled(root), parameter_mapping: Object.fromEntries(mapping) };
}
