/** Splits a URL with placeholders, so that one part can change while the others keep their spelling. */

export interface UrlParts {
  /** Scheme and host. */
  base: string;
  /** Between the slashes; the first is empty. */
  segments: string[];
  /** `name=value` as typed; undefined without a question mark. */
  pairs: string[] | undefined;
}

export interface QueryPair {
  name: string;
  value: string;
}

export function splitUrl(url: string): UrlParts {
  const [, base = url, path = '', query] = /^([a-z]+:\/\/[^/?]*)([^?]*)(\?.*)?$/is.exec(url) ?? [];
  return { base, segments: path.split('/'), pairs: query?.slice(1).split('&') };
}

export function joinUrl({ base, segments, pairs }: UrlParts): string {
  const query = pairs && pairs.length > 0 ? `?${pairs.join('&')}` : '';
  return base + segments.join('/') + query;
}

/** The distinct names in braces, in order. */
export function placeholderNames(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map((match) => match[1] ?? ''))];
}

export function fillPlaceholders(text: string, fill: (name: string) => string): string {
  return text.replace(placeholder, (_, name: string) => fill(name));
}

/** Decodes a query pair; undefined if it is not valid UTF-8. */
export function readPair(pair: string): QueryPair | undefined {
  const equalsIndex = pair.indexOf('=');
  const name = decode((equalsIndex < 0 ? pair : pair.slice(0, equalsIndex)).replaceAll('+', ' '));
  const value = decode(equalsIndex < 0 ? '' : pair.slice(equalsIndex + 1).replaceAll('+', ' '));
  return name === undefined || value === undefined ? undefined : { name, value };
}

/** Decodes a path segment; undefined if it is not valid UTF-8. */
export function readSegment(segment: string): string | undefined {
  return decode(segment);
}

/** Encodes everything but unreserved characters; lone surrogates become U+FFFD. */
export function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}

const placeholder = /\{([A-Za-z_][A-Za-z0-9_-]*)\}/g;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
