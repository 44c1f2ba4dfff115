/** Converts `settings.oauth` of a server between the API and the form. */
import type { Server } from '../api/types';
import { numberOrText } from './input-text';
import { isObject } from './json';
import { nestedErrors } from './nested-errors';
import { shortenParamError } from './param-errors';

export const accessOptions = [
  { value: 'owner', label: 'Owner', text: 'The owner of the server, and administrators.' },
  { value: 'members', label: 'Members', text: 'Also the members of the server, which you list below.' },
  { value: 'users', label: 'Everyone with an account', text: 'Every user of this service.' },
] as const;

export type OAuthAccess = (typeof accessOptions)[number]['value'];

/** A condition on a claim of the token; `values` are separated by commas. */
export interface AllowRule {
  claim: string;
  values: string;
}

export interface OAuthForm {
  issuer: 'builtin' | 'external';
  issuerUrl: string;
  access: OAuthAccess;
  /** Seconds. */
  tokenLifetime: string;
  /** Keys are accepted as well as tokens. */
  keys: boolean;
  /** One per line. */
  audience: string;
  subjectClaim: string;
  nameClaim: string;
  allow: readonly AllowRule[];
  scopeRead: string;
  scopeWrite: string;
  /** The service reads the metadata of the issuer when the form is saved. */
  verify: boolean;
}

const builtIn = 'builtin';
const tokenLifetimeDefault = '3600';
const subjectClaimDefault = 'sub';

/** The keys that the form knows; others are preserved. */
const formKeys = [
  'issuer',
  'access',
  'access_token_ttl',
  'keys',
  'audience',
  'subject_claim',
  'name_claim',
  'allow',
  'scope_read',
  'scope_write',
  'verify',
];

const tokenLifetimes: readonly { value: string; label: string }[] = [
  { value: '300', label: '5 minutes' },
  { value: tokenLifetimeDefault, label: '1 hour' },
  { value: '28800', label: '8 hours' },
  { value: '86400', label: '24 hours' },
];

/** Lifetimes of access tokens, with the current one if it was set over the API. */
export function tokenLifetimeOptions(current: string): { value: string; label: string }[] {
  const isListed = tokenLifetimes.some(({ value }) => value === current);
  return [...tokenLifetimes, ...(isListed ? [] : [{ value: current, label: `${current} seconds` }])];
}

export function toOAuthForm(server: Pick<Server, 'settings'>): OAuthForm {
  const settings = oauthSettings(server);
  const issuer = text(settings.issuer) || builtIn;
  const isBuiltIn = issuer === builtIn;
  return {
    issuer: isBuiltIn ? 'builtin' : 'external',
    issuerUrl: isBuiltIn ? '' : issuer,
    access: accessOptions.find(({ value }) => value === settings.access)?.value ?? 'owner',
    tokenLifetime: String(settings.access_token_ttl ?? tokenLifetimeDefault),
    keys: settings.keys !== false,
    audience: texts(settings.audience).join('\n'),
    subjectClaim: text(settings.subject_claim) || subjectClaimDefault,
    nameClaim: text(settings.name_claim),
    allow: toRules(settings.allow),
    scopeRead: text(settings.scope_read),
    scopeWrite: text(settings.scope_write),
    verify: settings.verify !== false,
  };
}

/** The value of `settings.oauth`, without keys that have their default; null if all have it. */
export function fromOAuthForm(form: OAuthForm, server: Pick<Server, 'settings'>): Record<string, unknown> | null {
  const others = Object.entries(oauthSettings(server)).filter(([key]) => !formKeys.includes(key));
  const settings: Record<string, unknown> = {
    ...Object.fromEntries(others),
    ...(form.issuer === 'builtin' ? builtInSettings(form) : externalSettings(form)),
    ...(form.keys ? {} : { keys: false }),
  };
  return Object.keys(settings).length > 0 ? settings : null;
}

function builtInSettings({ access, tokenLifetime }: OAuthForm): Record<string, unknown> {
  return {
    ...(access === 'owner' ? {} : { access }),
    ...(tokenLifetime === tokenLifetimeDefault ? {} : { access_token_ttl: numberOrText(tokenLifetime) }),
  };
}

function externalSettings(form: OAuthForm): Record<string, unknown> {
  const audience = splitLines(form.audience);
  const subjectClaim = form.subjectClaim.trim();
  const allow = form.allow
    .map(({ claim, values }) => ({ claim: claim.trim(), any_of: splitValues(values) }))
    .filter(({ claim, any_of }) => claim !== '' || any_of.length > 0);
  return {
    // As typed: issuers are compared as text, and some end with a slash.
    issuer: form.issuerUrl.trim(),
    ...(audience.length > 0 ? { audience } : {}),
    ...(subjectClaim === '' || subjectClaim === subjectClaimDefault ? {} : { subject_claim: subjectClaim }),
    ...ifTyped('name_claim', form.nameClaim),
    ...(allow.length > 0 ? { allow } : {}),
    ...ifTyped('scope_read', form.scopeRead),
    ...ifTyped('scope_write', form.scopeWrite),
    ...(form.verify ? {} : { verify: false }),
  };
}

/** Errors by key of `settings.oauth`, from the error of the parameter `settings`. */
export function oauthErrors(error: string | undefined): Record<string, string> {
  const nested = nestedErrors('oauth', nestedErrors('settings', error).oauth);
  return Object.fromEntries(
    Object.entries(nested).map(([key, message]) => [
      key,
      key === 'allow' ? ruleErrors(message) : shortenParamError(key, message),
    ]),
  );
}

/** `allow[0][claim] is empty.` becomes `Rule 1: claim is empty.` */
function ruleErrors(message: string): string {
  const named = message.replaceAll(
    /allow\[(\d+)\](?:\[(\w+)\])?/g,
    (_, index: string, name: string | undefined) => `Rule ${Number(index) + 1}:${name ? ` ${name}` : ''}`,
  );
  return shortenParamError('allow', named);
}

/** The host of the issuer, for texts; undefined for the built-in one. */
export function issuerHost({ issuer, issuerUrl }: Pick<OAuthForm, 'issuer' | 'issuerUrl'>): string | undefined {
  if (issuer === 'builtin') return undefined;
  return URL.canParse(issuerUrl) ? new URL(issuerUrl).host : issuerUrl;
}

function oauthSettings({ settings }: Pick<Server, 'settings'>): Record<string, unknown> {
  return isObject(settings?.oauth) ? settings.oauth : {};
}

function toRules(value: unknown): AllowRule[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map(({ claim, any_of }) => ({ claim: text(claim), values: texts(any_of).join(', ') }));
}

function ifTyped(key: string, value: string): Record<string, string> {
  const trimmed = value.trim();
  return trimmed === '' ? {} : { [key]: trimmed };
}

function splitLines(value: string): string[] {
  return nonEmpty(value.split('\n'));
}

function splitValues(value: string): string[] {
  return nonEmpty(value.split(','));
}

function nonEmpty(parts: readonly string[]): string[] {
  return parts.map((part) => part.trim()).filter(Boolean);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A single text is read as a list with one item, as in the API. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
