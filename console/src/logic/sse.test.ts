import { expect, it } from 'vitest';
import { eventReader } from './sse';

it('events may be split anywhere', () => {
  const read = eventReader();
  const text = 'event: call\ndata: {"a":1}\n\n: still here\n\nevent: missed\ndata: {"missed":2}\n\n';
  expect([...text].flatMap((character) => read(character))).toEqual([
    { event: 'call', data: '{"a":1}' },
    { event: 'missed', data: '{"missed":2}' },
  ]);
});

it('data lines are joined, and the default event is message', () => {
  expect(eventReader()('data: a\ndata: b: c\n\n')).toEqual([{ event: 'message', data: 'a\nb: c' }]);
});

it('an event without data is ignored', () => {
  expect(eventReader()('event: call\n\n')).toEqual([]);
});
