import { expect, it } from 'vitest';
import { isAddress } from './call-origin';

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
