import { expect, it } from 'vitest';
import { explainEgress } from './egress';

const words = (rules: string) => explainEgress(rules).map(({ text }) => text);

it('nothing allowed is no entry', () => {
  expect(explainEgress('')).toEqual([]);
  expect(explainEgress(' , ')).toEqual([]);
});

it('each entry is told, with its port', () => {
  expect(explainEgress('loopback, private:8080').map(({ rule }) => rule)).toEqual(['loopback', 'private:8080']);
  expect(words('private:8080')[0]).toContain('on port 8080 only');
  expect(words('10.1.0.0/16,api.internal:443,10.0.0.5')).toEqual([
    'Addresses of the network 10.1.0.0/16.',
    'The host api.internal, on port 443 only.',
    'The address 10.0.0.5.',
  ]);
});

it('the colons of an IPv6 address are no port', () => {
  expect(words('fd00::5,[fd00::5]:443,fd00::/8')).toEqual([
    'The address fd00::5.',
    'The address fd00::5, on port 443 only.',
    'Addresses of the network fd00::/8.',
  ]);
});
