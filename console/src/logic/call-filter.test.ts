import { expect, it } from 'vitest';
import { fromLocalField, isFiltered, readCallFilter, toLocalField, toMoment } from './call-filter';

it('an address without a query shows everything', () => {
  const filter = readCallFilter(new URLSearchParams('call=12'));
  expect(filter).toEqual({ server: undefined, tool: undefined, client: '', status: '', from: '', to: '' });
  expect(isFiltered(filter)).toBe(false);
});

it('filters are read as the API has them', () => {
  const query = 'server=3&tool=9&client=cursor&status=timeout&from=2026-11-01&to=2026-11-02T10:00:00';
  expect(readCallFilter(new URLSearchParams(query))).toEqual({
    server: 3,
    tool: 9,
    client: 'cursor',
    status: 'timeout',
    from: '2026-11-01',
    to: '2026-11-02T10:00:00',
  });
});

it('what the API would refuse is left out', () => {
  const query = new URLSearchParams('server=-1&tool=x&status=toString&from=yesterday&to=2026-13-45');
  expect(isFiltered(readCallFilter(query))).toBe(false);
});

it('a field of the reader names the same moment as the address', () => {
  const moment = toMoment(new Date('2026-11-15T12:34:00Z'));
  expect(fromLocalField(toLocalField(moment, 'from'), 'from')).toBe('2026-11-15T12:34:00');
  expect(fromLocalField(toLocalField(moment, 'to'), 'to')).toBe('2026-11-15T12:34:59');
});

it('a day ends with its last minute', () => {
  expect(fromLocalField(toLocalField('2026-11-15', 'from'), 'from')).toBe('2026-11-15T00:00:00');
  expect(fromLocalField(toLocalField('2026-11-15', 'to'), 'to')).toBe('2026-11-15T23:59:59');
});

it('an empty field is no filter', () => {
  expect(fromLocalField('', 'to')).toBe('');
  expect(toLocalField('', 'from')).toBe('');
});
