/** Formats a request as a curl command. */
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

/** `--globoff`: curl would otherwise expand brackets and braces in the URL. */
function flags(method: string, body: string): string {
  const defaultMethod = body === '' ? 'GET' : 'POST';
  if (method === 'HEAD') return '--globoff --head ';
  return method === defaultMethod ? '--globoff ' : `--globoff -X ${method} `;
}

/** curl sends a header without a value only if it ends in a semicolon. */
function header(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}
