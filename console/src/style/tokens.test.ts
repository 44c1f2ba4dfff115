import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const [lightCss = '', darkCss = ''] = css.split('@media (prefers-color-scheme: dark)');

function colours(text: string): Map<string, string> {
  return new Map([...text.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]));
}

/** Relative luminance, as defined by WCAG 2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio, as defined by WCAG 2. Level AA requires 4.5 for text and 3 for controls. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const backgrounds = ['bg', 'surface', 'sunken', 'hover'];
const texts = ['text', 'muted', 'faint', 'accent-text', 'good', 'warn', 'bad'];
const pairs = [
  ...texts.flatMap((text) => backgrounds.map((background) => [text, background])),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-hover'],
  ['accent-text', 'accent-soft'],
  ['text', 'accent-soft'],
  ['text', 'chosen'],
  ...['good', 'warn', 'bad'].flatMap((tone) => [
    [tone, `${tone}-soft`],
    ['text', `${tone}-soft`],
    ['muted', `${tone}-soft`],
  ]),
];

describe.each([
  ['light', colours(lightCss)],
  ['dark', colours(darkCss)],
])('colours, %s', (_, palette) => {
  it.each(pairs)('%s on %s is readable', (text = '', background = '') => {
    expect(contrast(palette.get(text) ?? '', palette.get(background) ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['surface', 'bg'])('the border of a control contrasts with %s', (background) => {
    expect(contrast(palette.get('control') ?? '', palette.get(background) ?? '')).toBeGreaterThanOrEqual(3);
  });
});
