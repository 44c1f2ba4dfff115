import { expect, it } from 'vitest';
import { isSignInClient, type SignInClientId, signInClientFor, signInClients } from './sign-in-steps';

const target = { name: 'weather', url: 'https://tools.example/mcp/weather/1', issuerHost: undefined };
const ids = Object.keys(signInClients).filter(isSignInClient);

it('every client gets steps that end with the sign-in', () => {
  for (const id of ids) {
    const { steps, warning } = signInClients[id].guide(target);
    expect(steps.length, id).toBeGreaterThan(1);
    expect(steps.at(-1)?.text, id).toContain('Sign in at Toolgate');
    expect(warning, id).toBeUndefined();
  }
});

it('snippets have the address and no key', () => {
  for (const id of ['claude-code', 'vscode', 'cursor'] satisfies SignInClientId[]) {
    const code = signInClients[id].guide(target).steps.find((step) => step.code)?.code?.text ?? '';
    expect(code, id).toContain(target.url);
    expect(code, id).not.toContain('Authorization');
  }
});

it('clients on the internet are warned about an address without https', () => {
  const local = { ...target, url: 'http://127.0.0.1:8080/mcp/weather/1' };
  const warned = ids.filter((id) => signInClients[id].guide(local).warning !== undefined);
  expect(warned).toEqual(['claude', 'chatgpt']);
});

it('the steps name an external issuer', () => {
  const { steps } = signInClients.claude.guide({ ...target, issuerHost: 'login.example' });
  expect(steps.at(-1)?.text).toContain('Sign in at login.example');
});

it('some clients of the Connect page have their own sign-in steps', () => {
  expect(signInClientFor('claude-desktop')).toBe('claude');
  expect(signInClientFor('cursor')).toBe('cursor');
  expect(signInClientFor('zed')).toBeUndefined();
});
