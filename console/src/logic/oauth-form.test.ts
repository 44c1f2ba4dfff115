import { expect, it } from 'vitest';
import { fromOAuthForm, issuerHost, oauthErrors, tokenLifetimeOptions, toOAuthForm } from './oauth-form';

const defaults = { settings: {} };

it('a server without settings has the defaults, which are not sent', () => {
  const form = toOAuthForm({ settings: null });
  expect(form).toMatchObject({
    issuer: 'builtin',
    access: 'owner',
    tokenLifetime: '3600',
    keys: true,
    subjectClaim: 'sub',
  });
  expect(fromOAuthForm(form, defaults)).toBeNull();
});

it('the settings of the built-in issuer survive a round trip', () => {
  const settings = { oauth: { access: 'members', access_token_ttl: 86_400, keys: false } };
  expect(fromOAuthForm(toOAuthForm({ settings }), { settings })).toEqual(settings.oauth);
});

it('the settings of an external issuer survive a round trip, with keys that the form does not know', () => {
  const oauth = {
    issuer: 'https://login.example/',
    audience: ['https://tools.example/mcp/a/1', 'api://tools'],
    subject_claim: 'oid',
    name_claim: 'preferred_username',
    allow: [{ claim: 'groups', any_of: ['mcp', 'staff'] }],
    scope_read: 'tools.read',
    scope_write: 'tools.write',
    verify: false,
    login_client_id: 'x',
  };
  const settings = { oauth };
  expect(fromOAuthForm(toOAuthForm({ settings }), { settings })).toEqual(oauth);
});

it('empty rules and lines are not sent', () => {
  const form = { ...toOAuthForm(defaults), issuer: 'external' as const, issuerUrl: ' https://login.example ' };
  const sent = fromOAuthForm({ ...form, audience: '\n a \n', allow: [{ claim: '', values: ' , ' }] }, defaults);
  expect(sent).toEqual({ issuer: 'https://login.example', audience: ['a'] });
});

it('an incomplete rule is sent, so that the service names what is missing', () => {
  const form = { ...toOAuthForm(defaults), issuer: 'external' as const, issuerUrl: 'https://login.example' };
  const sent = fromOAuthForm({ ...form, allow: [{ claim: 'groups', values: '' }] }, defaults);
  expect(sent).toMatchObject({ allow: [{ claim: 'groups', any_of: [] }] });
});

it('a change to the built-in issuer drops the settings of the external one', () => {
  const settings = { oauth: { issuer: 'https://login.example', audience: ['a'] } };
  const form = { ...toOAuthForm({ settings }), issuer: 'builtin' as const };
  expect(fromOAuthForm(form, { settings })).toBeNull();
});

it('errors are assigned to keys', () => {
  const error =
    'settings[oauth][issuer]: the metadata of the issuer cannot be read. settings[oauth][allow][1][any_of] cannot be empty.';
  expect(oauthErrors(error)).toEqual({
    issuer: 'The metadata of the issuer cannot be read.',
    allow: 'Rule 2: any_of cannot be empty.',
  });
  expect(oauthErrors(undefined)).toEqual({});
});

it('a token lifetime that was set over the API is offered', () => {
  expect(tokenLifetimeOptions('3600')).toHaveLength(4);
  expect(tokenLifetimeOptions('7200').at(-1)).toEqual({ value: '7200', label: '7200 seconds' });
});

it('an external issuer is named by its host', () => {
  expect(issuerHost({ issuer: 'builtin', issuerUrl: '' })).toBeUndefined();
  expect(issuerHost({ issuer: 'external', issuerUrl: 'https://login.example:8443/x' })).toBe('login.example:8443');
  expect(issuerHost({ issuer: 'external', issuerUrl: 'typing' })).toBe('typing');
});
