import { expect, it } from 'vitest';
import { type Argument, argumentsFor, fill, newArgument, pieces, placeholders } from './template';

const city: Argument = { name: 'city', description: 'Where to', required: false, values: ['Oslo'] };

it('finds each name once, in the order of the text', () => {
  expect(placeholders('{{b}} and {{ a }} and {{b}}')).toEqual(['b', 'a']);
});

it('what is not a placeholder stays text', () => {
  expect(placeholders('{a} {{}} {{ }} {x}} {{open')).toEqual([]);
});

it('of nested braces the innermost pair counts', () => {
  expect(pieces('{{{a}}}')).toEqual([{ text: '{' }, { text: '{{a}}', name: 'a' }, { text: '}' }]);
});

it('the pieces make the template again', () => {
  const template = 'Hi {{ name }}, {{}} {{x}}{{y}}!';
  expect(
    pieces(template)
      .map(({ text }) => text)
      .join(''),
  ).toBe(template);
});

it('fills in values, and leaves what has none', () => {
  expect(fill('{{days}} days in {{ city }}{{rest}}{{x}}.', { days: '3', city: 'Oslo', rest: '' })).toBe(
    '3 days in Oslo{{x}}.',
  );
});

it('values are not looked at again', () => {
  expect(fill('{{a}}{{b}}', { a: '{{b}}', b: '$&' })).toBe('{{b}}$&');
});

it('names of the language itself are no values', () => {
  expect(fill('[{{constructor}}]', {})).toBe('[{{constructor}}]');
});

it('a new placeholder is a new, required argument', () => {
  expect(argumentsFor('{{days}} in {{city}}', [city])).toEqual([newArgument('days'), city]);
  expect(newArgument('days').required).toBe(true);
});

it('half a name that was typed leaves nothing behind', () => {
  const typed = argumentsFor('{{da}}', []);
  expect(argumentsFor('{{days}}', typed).map(({ name }) => name)).toEqual(['days']);
});

it('what was described outlives its placeholder', () => {
  expect(argumentsFor('no more', [city])).toEqual([city]);
});
