/** A request as a curl command, to be pasted into a shell. */
import { singleQuoted } from './shell';

export interface PlainRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

export function toCurl({ method, url, headers, body }: PlainRequest): string {
  const parts = [`curl ${flags(method, body)}${singleQuoted(url)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${singleQuoted(header(name, value))}`);
  if (body !== '') parts.push(`--data-raw ${singleQuoted(body)}`);
  return parts.join(' \\\n  ');
}

/** curl reads brackets and braces in an address as a pattern unless told not to. */
function flags(method: string, body: string): string {
  const usual = body === '' ? 'GET' : 'POST';
  if (method === 'HEAD') return '--globoff --head ';
  return method === usual ? '--globoff ' : `--globoff -X ${method} `;
}

/** A header without a value is sent only if it ends in a semicolon. */
function header(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}
