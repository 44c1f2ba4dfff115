/** Example requests as curl commands. */
import type { ApiOperation } from './openapi';
import { type ApiField, asList, type Json } from './openapi-schema';
import { singleQuoted } from './shell';

/** Fills in required values; the API key is read from an environment variable. */
export function curlExample(operation: ApiOperation, base: string): string {
  const method = (operation.methods[0] ?? 'get').toUpperCase();
  const url = `${base}${operation.path.replace(/\{[^}]+\}/g, '1')}${queryOf(operation)}`;
  const parts = [method === 'GET' ? 'curl' : `curl -X ${method}`];
  if (operation.path.endsWith('/stream')) parts[0] = 'curl -N';
  if (operation.needsKey) parts.push('-H "Authorization: Bearer $TOOLGATE_KEY"');
  parts.push(singleQuoted(url));
  if (operation.body.length > 0) {
    parts.push(
      "-H 'Content-Type: application/json'",
      `-d ${singleQuoted(JSON.stringify(exampleBody(operation.body)))}`,
    );
  }
  return parts.join(' \\\n  ');
}

function queryOf({ parameters }: ApiOperation): string {
  const query = new URLSearchParams();
  for (const field of parameters) {
    if (field.location === 'query' && field.required) query.set(field.name, String(exampleOf(field)));
  }
  return query.size > 0 ? `?${query}` : '';
}

/** The required fields, or the first field if none is required. */
export function exampleBody(fields: readonly ApiField[]): Json {
  const required = fields.filter((field) => field.required);
  const exampleFields = required.length > 0 ? required : fields.slice(0, 1);
  return Object.fromEntries(exampleFields.map((field) => [field.name, exampleOf(field)]));
}

function exampleOf({ name, schema, fields }: ApiField): unknown {
  const choice = asList(schema.enum).find((value) => value !== '');
  if (schema.default !== undefined && schema.default !== '') return schema.default;
  if (choice !== undefined) return choice;
  const kind = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (kind === 'integer' || kind === 'number')
    return typeof schema.minimum === 'number' ? Math.max(1, schema.minimum) : 1;
  if (kind === 'boolean') return true;
  if (kind === 'array') return [];
  if (kind === 'object') return fields.some((field) => field.required) ? exampleBody(fields) : {};
  return textFor(name);
}

function textFor(name: string): string {
  if (name.includes('url')) return 'https://api.example.com/items';
  if (name === 'uri') return 'docs://example';
  if (name === 'curl' || name === 'command') return 'curl https://api.example.com/items';
  return 'example';
}
