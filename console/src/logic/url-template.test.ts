import { expect, it } from 'vitest';
import { placeholdersOf, renamePlaceholder, splitTemplate } from './url-template';

const url = 'https://api.example.com/{city}/days/{n}?q={city}';

it('the joined parts are the URL', () => {
  const parts = splitTemplate(url);
  expect(parts.map(({ text }) => text).join('')).toBe(url);
  expect(parts.filter(({ placeholder }) => placeholder).length).toBe(3);
});

it('placeholders are distinct', () => {
  expect(placeholdersOf(url)).toEqual(['city', 'n']);
  expect(placeholdersOf('https://example.com/{}/{a{b}c}')).toEqual(['b']);
});

it('every occurrence of a placeholder is renamed, to any name', () => {
  expect(renamePlaceholder(url, 'city', '$&')).toBe('https://api.example.com/{$&}/days/{n}?q={$&}');
});
