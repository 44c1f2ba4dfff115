import { expect, it } from 'vitest';
import { readFilter } from './use-servers';

it('an empty query string lists everything by name', () => {
  expect(readFilter(new URLSearchParams())).toEqual({ search: '', status: '', orderby: 'name', order: 'ASC', page: 1 });
});

it('values that the API would reject are dropped', () => {
  const query = new URLSearchParams('status=broken&orderby=password&order=up&page=-3');
  expect(readFilter(query)).toEqual({ search: '', status: '', orderby: 'name', order: 'ASC', page: 1 });
});

it('a filter is read from the query string', () => {
  const query = new URLSearchParams('search=wea&status=paused&orderby=updated_at&order=DESC&page=2');
  expect(readFilter(query)).toEqual({ search: 'wea', status: 'paused', orderby: 'updated_at', order: 'DESC', page: 2 });
});
