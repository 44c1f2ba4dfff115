import { expect, it } from 'vitest';
import { addCallers, type Caller, callerFilter, callerLabel, callerName, readCaller } from './caller';

const ada: Caller = { kind: 'user', id: 7, name: 'Ada' };
const laptop: Caller = { kind: 'key', id: 4, name: 'laptop' };
const unknown: Caller = { kind: 'none', id: null, name: null };

it('a caller is shown by name and kind, or by id if the name is unknown', () => {
  expect(callerLabel(ada)).toBe('Ada (user)');
  expect(callerLabel(laptop)).toBe('laptop (key)');
  expect(callerLabel({ ...laptop, name: null })).toBe('key 4');
  expect(callerLabel({ kind: 'subject', id: 9, name: null })).toBe('person 9');
  expect(callerName(unknown)).toBe('no key');
});

it('filters have the form that the API accepts, and other texts are dropped', () => {
  expect([ada, laptop, unknown].map(callerFilter)).toEqual(['user:7', 'key:4', 'none']);
  for (const text of ['user:7', 'subject:1', 'key:4', 'none']) expect(readCaller(text)).toBe(text);
  for (const text of [null, '', '7', 'user', 'user:', 'user:0', 'user:-1', 'none:1', 'group:1', 'user:x']) {
    expect(readCaller(text), String(text)).toBe('');
  }
});

it('callers are collected once, sorted by label', () => {
  const first = addCallers([], [laptop, ada, laptop]);
  expect(first.map(({ value }) => value)).toEqual(['user:7', 'key:4']);
  expect(addCallers(first, [ada])).toBe(first);
  expect(addCallers(first, [unknown]).map(({ label }) => label)).toEqual(['Ada (user)', 'laptop (key)', 'no key']);
});
