import { expect, it } from 'vitest';
import { placeholdersOf, renamePlaceholder, splitTemplate } from './url-template';

const url = 'https://api.example.com/{city}/days/{n}?q={city}';

it('the parts are the address', () => {
  const parts = splitTemplate(url);
  expect(parts.map(({ text }) => text).join('')).toBe(url);
  expect(parts.filter(({ placeholder }) => placeholder).length).toBe(3);
});

it('each placeholder is named once', () => {
  expect(placeholdersOf(url)).toEqual(['city', 'n']);
  expect(placeholdersOf('https://example.com/{}/{a{b}c}')).toEqual(['b']);
});

it('a placeholder is renamed wherever it stands, whatever the new name is', () => {
  expect(renamePlaceholder(url, 'city', '$&')).toBe('https://api.example.com/{$&}/days/{n}?q={$&}');
});
