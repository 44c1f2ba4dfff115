import { expect, it } from 'vitest';
import { fromDateTimeLocal, isFiltered, readCallFilter, toApiTime, toDateTimeLocal } from './call-filter';

it('a query string without filter parameters sets no filter', () => {
  const filter = readCallFilter(new URLSearchParams('call=12'));
  expect(filter).toEqual({
    server: undefined,
    tool: undefined,
    client: '',
    caller: '',
    client_address: '',
    status: '',
    from: '',
    to: '',
  });
  expect(isFiltered(filter)).toBe(false);
});

it('filters use the parameter names of the API', () => {
  const query =
    'server=3&tool=9&client=cursor&caller=user:5&client_address=2001:db8::1&status=timeout&from=2026-11-01&to=2026-11-02T10:00:00';
  expect(readCallFilter(new URLSearchParams(query))).toEqual({
    server: 3,
    tool: 9,
    client: 'cursor',
    caller: 'user:5',
    client_address: '2001:db8::1',
    status: 'timeout',
    from: '2026-11-01',
    to: '2026-11-02T10:00:00',
  });
});

it('a link to the calls of an endpoint key selects the key as the caller', () => {
  expect(readCallFilter(new URLSearchParams('endpoint_key_id=5')).caller).toBe('key:5');
});

it('values that the API would reject are dropped', () => {
  const query = new URLSearchParams(
    'server=9007199254740993&tool=x&endpoint_key_id=-1&caller=group:1&client_address=host&status=toString&from=yesterday&to=2026-13-45',
  );
  expect(isFiltered(readCallFilter(query))).toBe(false);
});

it('a datetime-local value converts to UTC and back without loss', () => {
  const time = toApiTime(new Date('2026-11-15T12:34:00Z'));
  expect(fromDateTimeLocal(toDateTimeLocal(time, 'from'), 'from')).toBe('2026-11-15T12:34:00');
  expect(fromDateTimeLocal(toDateTimeLocal(time, 'to'), 'to')).toBe('2026-11-15T12:34:59');
});

it('a day becomes its first or its last second', () => {
  expect(fromDateTimeLocal(toDateTimeLocal('2026-11-15', 'from'), 'from')).toBe('2026-11-15T00:00:00');
  expect(fromDateTimeLocal(toDateTimeLocal('2026-11-15', 'to'), 'to')).toBe('2026-11-15T23:59:59');
});

it('an empty field sets no filter', () => {
  expect(fromDateTimeLocal('', 'to')).toBe('');
  expect(toDateTimeLocal('', 'from')).toBe('');
});
