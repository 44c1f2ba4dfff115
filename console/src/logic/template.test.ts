import { expect, it } from 'vitest';
import { type Argument, argumentsFor, fill, newArgument, pieces, placeholders } from './template';

const city: Argument = { name: 'city', description: 'Where to', required: false, values: ['Oslo'] };

it('finds each name once, in the order of the text', () => {
  expect(placeholders('{{b}} and {{ a }} and {{b}}')).toEqual(['b', 'a']);
});

it('other braces stay text', () => {
  expect(placeholders('{a} {{}} {{ }} {x}} {{open')).toEqual([]);
});

it('the innermost pair of nested braces is the placeholder', () => {
  expect(pieces('{{{a}}}')).toEqual([{ text: '{' }, { text: '{{a}}', name: 'a' }, { text: '}' }]);
});

it('the joined pieces are the template', () => {
  const template = 'Hi {{ name }}, {{}} {{x}}{{y}}!';
  expect(
    pieces(template)
      .map(({ text }) => text)
      .join(''),
  ).toBe(template);
});

it('fills in values and leaves placeholders without a value', () => {
  expect(fill('{{days}} days in {{ city }}{{rest}}{{x}}.', { days: '3', city: 'Oslo', rest: '' })).toBe(
    '3 days in Oslo{{x}}.',
  );
});

it('placeholders in values are not expanded', () => {
  expect(fill('{{a}}{{b}}', { a: '{{b}}', b: '$&' })).toBe('{{b}}$&');
});

it('inherited properties are not values', () => {
  expect(fill('[{{constructor}}]', {})).toBe('[{{constructor}}]');
});

it('a new placeholder is a new, required argument', () => {
  expect(argumentsFor('{{days}} in {{city}}', [city])).toEqual([newArgument('days'), city]);
  expect(newArgument('days').required).toBe(true);
});

it('a partially typed name leaves no argument', () => {
  const typed = argumentsFor('{{da}}', []);
  expect(argumentsFor('{{days}}', typed).map(({ name }) => name)).toEqual(['days']);
});

it('a described argument stays without its placeholder', () => {
  expect(argumentsFor('no more', [city])).toEqual([city]);
});
