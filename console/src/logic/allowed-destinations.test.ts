import { expect, it } from 'vitest';
import { describeAllowedDestinations } from './allowed-destinations';

const textsOf = (rules: string) => describeAllowedDestinations(rules).map(({ text }) => text);

it('no rules give no entries', () => {
  expect(describeAllowedDestinations('')).toEqual([]);
  expect(describeAllowedDestinations(' , ')).toEqual([]);
});

it('each rule is described with its port', () => {
  expect(describeAllowedDestinations('loopback, private:8080').map(({ rule }) => rule)).toEqual([
    'loopback',
    'private:8080',
  ]);
  expect(textsOf('private:8080')[0]).toContain('on port 8080 only');
  expect(textsOf('10.1.0.0/16,api.internal:443,10.0.0.5')).toEqual([
    'The network 10.1.0.0/16.',
    'The host api.internal, on port 443 only.',
    'The address 10.0.0.5.',
  ]);
});

it('the colons of an IPv6 address are not read as a port', () => {
  expect(textsOf('fd00::5,[fd00::5]:443,fd00::/8')).toEqual([
    'The address fd00::5.',
    'The address fd00::5, on port 443 only.',
    'The network fd00::/8.',
  ]);
});
