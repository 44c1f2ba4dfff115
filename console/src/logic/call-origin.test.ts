import { expect, it } from 'vitest';
import { credentialLabel, isAddress } from './call-origin';

const none = { endpoint_key_id: null, endpoint_key_name: null, user_id: null, user_name: null };

it('a credential is shown by its name, or by its id if the name is unknown', () => {
  expect(credentialLabel({ ...none, endpoint_key_id: 5, endpoint_key_name: 'laptop' })).toBe('laptop');
  expect(credentialLabel({ ...none, endpoint_key_id: 5 })).toBe('key 5');
  expect(credentialLabel({ ...none, user_id: 2, user_name: 'alice' })).toBe('alice (user)');
  expect(credentialLabel({ ...none, user_id: 2 })).toBe('user 2');
  expect(credentialLabel(none)).toBe('no key');
});

it('only complete addresses are accepted', () => {
  for (const text of ['203.0.113.9', '0.0.0.0', '::1', '2001:DB8::1', '::ffff:203.0.113.9']) {
    expect(isAddress(text), text).toBe(true);
  }
  for (const text of [
    '',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.09',
    '203.0.113.9:80',
    '[::1]',
    '2001:db8',
    'host',
    '::1%lo',
  ]) {
    expect(isAddress(text), text).toBe(false);
  }
});
