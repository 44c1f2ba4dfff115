import { expect, it } from 'vitest';
import type { Tool } from '../../../api/types';
import { filterTools, tagsOf } from './filter';

const tool = (name: string, tags: string[], status = 'active') =>
  ({ name, tags, status, description: '', http_method: 'GET', endpoint_url: 'https://a.example/' }) as Tool;
const tools = [tool('a', ['pet', 'x']), tool('b', ['pets']), tool('c', ['pet'], 'paused')];
const names = (filter: Partial<Parameters<typeof filterTools>[1]>) =>
  filterTools(tools, { search: '', status: '', tag: '', ...filter })
    .map(({ name }) => name)
    .join('');

it('tools are filtered by tag, status and search together', () => {
  expect(names({})).toBe('abc');
  expect(names({ tag: 'pet' })).toBe('ac');
  expect(names({ tag: 'pet', status: 'active' })).toBe('a');
  expect(names({ search: 'PETS' })).toBe('b');
  expect(names({ tag: 'gone' })).toBe('');
});

it('every tag is listed once', () => {
  expect(tagsOf(tools)).toEqual(['pet', 'pets', 'x']);
});
