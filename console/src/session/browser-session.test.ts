import { afterEach, expect, it, vi } from 'vitest';
import { currentToken, endBrowserSession, hasSignInPage, renewToken, signInProblem } from './browser-session';

const requests: string[] = [];
let reply = (): Response => new Response(null, { status: 204 });

vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
  requests.push(`${init.method} ${url} ${init.body ?? ''}`.trim());
  return Promise.resolve(reply());
});

afterEach(async () => {
  reply = () => new Response(null, { status: 204 });
  await renewToken();
  requests.length = 0;
  vi.useRealTimers();
});

function issue(token: string, expiresIn = 600): void {
  const body = { access_token: token, expires_in: expiresIn, csrf: 'c', user_id: 7 };
  reply = () => new Response(JSON.stringify(body));
}

it('a token is used until shortly before it expires, then renewed once for all requests', async () => {
  vi.useFakeTimers();
  issue('tgb_1');
  expect((await currentToken())?.text).toBe('tgb_1');
  issue('tgb_2');
  vi.advanceTimersByTime(539_000);
  expect((await currentToken())?.text).toBe('tgb_1');
  vi.advanceTimersByTime(2_000);
  const tokens = await Promise.all([currentToken(), currentToken()]);
  expect(tokens.map((token) => token?.text)).toEqual(['tgb_2', 'tgb_2']);
  expect(requests).toEqual(['POST /signin/token', 'POST /signin/token']);
});

it('the token stays if the service fails, and is dropped if the session has ended', async () => {
  issue('tgb_1');
  await renewToken();
  reply = () => new Response('', { status: 503 });
  expect((await renewToken())?.text).toBe('tgb_1');
  reply = () => new Response(null, { status: 204 });
  expect(await renewToken()).toBeUndefined();
  expect([hasSignInPage.value, signInProblem.value]).toEqual([true, undefined]);
});

it('a service without a sign-in page says why', async () => {
  const body = { error: 'sign_in_unavailable', error_description: 'Set TOOLGATE_BASE_URL.' };
  reply = () => new Response(JSON.stringify(body), { status: 404 });
  expect(await renewToken()).toBeUndefined();
  expect([hasSignInPage.value, signInProblem.value]).toEqual([false, 'Set TOOLGATE_BASE_URL.']);
});

it('signing out sends the CSRF token of the session', async () => {
  issue('tgb_1');
  expect(await endBrowserSession()).toBe(true);
  expect(requests).toEqual(['POST /signin/token', 'POST /signout csrf=c']);
});

it('a failed sign-out leaves the session as it is', async () => {
  issue('tgb_1');
  await renewToken();
  reply = () => new Response('', { status: 503 });
  expect(await endBrowserSession()).toBe(false);
  expect((await renewToken())?.text).toBe('tgb_1');
});
