/**
 * The browser session: the cookie that the sign-in page of the service sets. The console cannot read the cookie, but
 * exchanges it for a token of the management API, which stays in memory and is renewed before it expires.
 */
import { signal } from '@preact/signals';
import { browserAddress } from '../app/router';

/** A token is renewed this long before it expires, so that no request is sent with an expired one. */
const renewalMarginMs = 60_000;

interface TokenReply {
  access_token: string;
  expires_in: number;
  csrf: string;
  user_id: number;
}

interface BrowserToken {
  text: string;
  userId: number;
  /** For signing out. */
  csrf: string;
  renewAt: number;
}

/** Why this service has no sign-in page; undefined if it has one, or if that is not known yet. */
export const signInProblem = signal<string | undefined>(undefined);
/** Whether the service has a sign-in page; false until it has responded. */
export const hasSignInPage = signal(false);

let token: BrowserToken | undefined;
/** Whether the service responded to the last request for a token. */
let hasResponded = true;
let pending: Promise<BrowserToken | undefined> | undefined;

/** A token that does not expire soon; undefined if the session has ended or the service does not respond. */
export async function currentToken(): Promise<BrowserToken | undefined> {
  return token && Date.now() < token.renewAt ? token : await renewToken();
}

/** Requests a new token. Concurrent calls share one request. */
export function renewToken(): Promise<BrowserToken | undefined> {
  pending ??= requestToken().finally(() => {
    pending = undefined;
  });
  return pending;
}

/** Ends the browser session, if there is one. Returns false if the session may still exist. */
export async function endBrowserSession(): Promise<boolean> {
  const ending = await renewToken();
  if (!ending) return hasResponded;
  const response = await post('/signout', new URLSearchParams({ csrf: ending.csrf })).catch(() => undefined);
  // The response is a redirect, which `redirect: 'manual'` does not follow: its status is 0.
  const hasEnded = response !== undefined && response.status < 400;
  if (hasEnded) token = undefined;
  return hasEnded;
}

/** The address of the sign-in page. After the sign-in, it leads back to the given page of the console. */
export function signInAddress(path: string, search: string): string {
  return browserAddress(`/signin?${new URLSearchParams({ next: path + search })}`);
}

async function requestToken(): Promise<BrowserToken | undefined> {
  const response = await post('/signin/token').catch(() => undefined);
  // Without a response it is unknown whether the session has ended; the old token may still work.
  hasResponded = response !== undefined && response.status < 500;
  if (response === undefined || !hasResponded) return token;
  const reply: unknown = await response.json().catch(() => undefined);
  // `ok` includes 204: the service has a sign-in page, but the user is not signed in.
  hasSignInPage.value = response.ok;
  signInProblem.value = hasSignInPage.value ? undefined : problemText(reply);
  token = response.ok && isTokenReply(reply) ? toToken(reply) : undefined;
  return token;
}

function post(path: string, body?: URLSearchParams): Promise<Response> {
  return fetch(browserAddress(path), { method: 'POST', redirect: 'manual', ...(body ? { body } : {}) });
}

function toToken(reply: TokenReply): BrowserToken {
  const lifetimeMs = reply.expires_in * 1000;
  const renewAt = Date.now() + Math.max(lifetimeMs - renewalMarginMs, lifetimeMs / 2);
  return { text: reply.access_token, userId: reply.user_id, csrf: reply.csrf, renewAt };
}

function problemText(reply: unknown): string | undefined {
  const text = isRecord(reply) ? reply.error_description : undefined;
  return typeof text === 'string' ? text : undefined;
}

function isTokenReply(reply: unknown): reply is TokenReply {
  return isRecord(reply) && typeof reply.access_token === 'string' && typeof reply.expires_in === 'number';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
