import type { Candidate } from '../api-import';

/** A candidate for tests. */
export function candidate(operation: string, changes: Partial<Candidate> = {}): Candidate {
  const [method = 'GET', path = '/'] = operation.split(' ');
  const name = `${method.toLowerCase()}${path.replaceAll(/[^a-z]+/g, '_')}`;
  return {
    temp_id: operation,
    operation,
    operation_id: null,
    pointer: '#',
    name,
    title: null,
    description: '',
    endpoint_url: `https://api.example.com${path}`,
    http_method: method,
    input_schema: { type: 'object', properties: {} },
    parameter_mapping: {},
    body_type: 'json',
    body_required: true,
    headers: {},
    auth_type: 'none',
    credential: null,
    output_schema: null,
    annotations: {},
    tags: [],
    deprecated: false,
    estimated_tokens: 100,
    schema_full_tokens: 100,
    conflict: null,
    warnings: [],
    ...changes,
  };
}
