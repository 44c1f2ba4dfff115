import { expect, it } from 'vitest';
import { additionalKeys, keyRows } from './additional-keys';
import { credentialsOf } from './credentials';

const values = { token: 't', 'keys.0.key_name': 'X-App', 'keys.0.key_value': 'a', 'keys.1.key_location': 'query' };

it('additional keys are sent with tokens and passwords, but not with an API key', () => {
  const keys = [{ key_name: 'X-App', key_value: 'a', key_location: 'header' }];
  expect(additionalKeys('bearer', values)).toEqual(keys);
  expect(credentialsOf('bearer', values)).toEqual({ token: 't', keys });
  expect(additionalKeys('api-key', values)).toBeUndefined();
  expect(credentialsOf('bearer', { token: 't' })).toEqual({ token: 't' });
});

it('the form has an empty row after those that are filled in', () => {
  expect(keyRows({})).toEqual([{ key_name: '', key_value: '', key_location: 'header' }]);
  expect(keyRows(values).map(({ key_name, key_location }) => [key_name, key_location])).toEqual([
    ['X-App', 'header'],
    ['', 'query'],
  ]);
});
