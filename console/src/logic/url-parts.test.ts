import { describe, expect, it } from 'vitest';
import { encode, fillPlaceholders, joinUrl, placeholderNames, readPair, splitUrl } from './url-parts';

describe('parts of a URL', () => {
  it.each([
    'https://api.example.com',
    'https://api.example.com/',
    'https://api.example.com?',
    'https://api.example.com/a//b/?x=1&&y={z}',
    'http://127.0.0.1:80/{a}.json?q=https://b.example/?c=d',
  ])('%s round-trips', (url) => expect(joinUrl(splitUrl(url))).toBe(url));

  it('finds distinct placeholders', () => {
    expect(placeholderNames('/{a}/x-{b-c}/{a}/{1}/{}')).toEqual(['a', 'b-c']);
    expect(fillPlaceholders('/{a}/{b}', (name) => name.toUpperCase())).toBe('/A/B');
  });

  it('decodes pairs, except invalid ones', () => {
    expect(readPair('a+b=c%26d=e')).toEqual({ name: 'a b', value: 'c&d=e' });
    expect(readPair('flag')).toEqual({ name: 'flag', value: '' });
    expect(readPair('e=%ff')).toBeUndefined();
  });

  it('escapes all reserved characters', () => {
    expect(encode("{a}&b='c'(*)!")).toBe('%7Ba%7D%26b%3D%27c%27%28%2a%29%21');
    expect(encode('\ud800')).toBe('%EF%BF%BD');
  });
});
