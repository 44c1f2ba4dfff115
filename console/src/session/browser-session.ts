/**
 * The session of the browser, which the sign-in page of the service opens. The page cannot read its cookie; it exchanges
 * it for a token of the management API, which stays in memory and is renewed before it expires.
 */
import { signal } from '@preact/signals';
import { browserAddress } from '../app/router';

/** How long before its end a token is renewed, so that no request is sent with an expired one. */
const renewalMs = 60_000;

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

/** Why people cannot sign in with the browser here; undefined if they can, or if it is not known yet. */
export const signInProblem = signal<string | undefined>(undefined);
/** Whether the service answered that it has a sign-in page. */
export const hasSignInPage = signal(false);

let token: BrowserToken | undefined;
/** Whether the service answered the last request for a token. */
let hasAnswered = true;
let pending: Promise<BrowserToken | undefined> | undefined;

/** A token that is valid for a while; undefined if the session has ended or the service does not respond. */
export async function currentToken(): Promise<BrowserToken | undefined> {
  return token && Date.now() < token.renewAt ? token : await renewToken();
}

/** Asks for a new token. Requests at the same time share one answer. */
export function renewToken(): Promise<BrowserToken | undefined> {
  pending ??= requestToken().finally(() => {
    pending = undefined;
  });
  return pending;
}

/** Ends the session of the browser, if there is one. Returns whether there is none any more. */
export async function endBrowserSession(): Promise<boolean> {
  const ending = await renewToken();
  if (!ending) return hasAnswered;
  const response = await post('/signout', new URLSearchParams({ csrf: ending.csrf })).catch(() => undefined);
  // The reply redirects to the sign-in page, which is not needed here: a redirect that is not followed has no status.
  const hasEnded = response !== undefined && response.status < 400;
  if (hasEnded) token = undefined;
  return hasEnded;
}

/** The address of the sign-in page, which leads back to this page of the console. */
export function signInAddress(path: string, search: string): string {
  return browserAddress(`/signin?${new URLSearchParams({ next: path + search })}`);
}

async function requestToken(): Promise<BrowserToken | undefined> {
  const response = await post('/signin/token').catch(() => undefined);
  // A service that does not respond says nothing about the session; an old token may still work.
  hasAnswered = response !== undefined && response.status < 500;
  if (response === undefined || !hasAnswered) return token;
  const reply: unknown = await response.json().catch(() => undefined);
  // 204: no person is signed in.
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
  const renewAt = Date.now() + Math.max(lifetimeMs - renewalMs, lifetimeMs / 2);
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
