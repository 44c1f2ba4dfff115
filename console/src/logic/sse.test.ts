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

it('a CR LF that is split between chunks is one line break', () => {
  const read = eventReader();
  const chunks = ['event: call\r', '\ndata: 1\r', '\n\r', '\ndata: 2\r\rdata: 3\n\n'];
  expect(chunks.flatMap((chunk) => read(chunk))).toEqual([
    { event: 'call', data: '1' },
    { event: 'message', data: '2' },
    { event: 'message', data: '3' },
  ]);
});

it('data lines are joined, and the default event is message', () => {
  expect(eventReader()('data: a\ndata: b: c\n\n')).toEqual([{ event: 'message', data: 'a\nb: c' }]);
});

it('an event without data is ignored', () => {
  expect(eventReader()('event: call\n\n')).toEqual([]);
});
