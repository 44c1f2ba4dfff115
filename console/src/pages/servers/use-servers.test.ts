import { expect, it } from 'vitest';
import { readFilter } from './use-servers';

it('an address without a query lists everything by name', () => {
  expect(readFilter(new URLSearchParams())).toEqual({ search: '', status: '', orderby: 'name', order: 'ASC', page: 1 });
});

it('what the API would refuse is left out', () => {
  const query = new URLSearchParams('status=broken&orderby=password&order=up&page=-3');
  expect(readFilter(query)).toEqual({ search: '', status: '', orderby: 'name', order: 'ASC', page: 1 });
});

it('a filter is read from the address', () => {
  const query = new URLSearchParams('search=wea&status=paused&orderby=updated_at&order=DESC&page=2');
  expect(readFilter(query)).toEqual({ search: 'wea', status: 'paused', orderby: 'updated_at', order: 'DESC', page: 2 });
});
