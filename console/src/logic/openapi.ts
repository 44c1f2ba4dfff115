/** Reads an OpenAPI document for display: operations by subject, with flat lists of parameters and fields. */
import {
  type ApiField,
  asList,
  asRecord,
  asText,
  bodyFields,
  describeType,
  type Json,
  resolve,
  schemaFields,
} from './openapi-schema';

export interface ApiParameter extends ApiField {
  location: 'path' | 'query' | 'header';
}

export interface OperationResponse {
  status: string;
  description: string;
  /** Description of the body type; may be empty. */
  type: string;
  fields: ApiField[];
}

export interface ApiOperation {
  id: string;
  /** The first is preferred; the others are equivalent. */
  methods: string[];
  path: string;
  summary: string;
  parameters: ApiParameter[];
  body: ApiField[];
  responses: OperationResponse[];
  /** Error responses. */
  errors: { status: string; description: string }[];
  needsKey: boolean;
}

export interface ApiGroup {
  name: string;
  label: string;
  operations: ApiOperation[];
}

const methodOrder = ['get', 'post', 'patch', 'put', 'delete'];
/** Order of equivalent methods: the preferred method for updates comes first. */
const updateOrder = ['patch', 'put', 'post', 'get', 'delete'];

export function groupOperations(document: unknown): ApiGroup[] {
  const root = asRecord(document);
  const groups = new Map<string, ApiGroup>();
  for (const [path, item] of Object.entries(asRecord(root.paths))) {
    const name = subjectOf(path);
    const group = groups.get(name) ?? { name, label: labelOf(name), operations: [] };
    group.operations.push(...operationsOf(root, path, asRecord(item)));
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** The subject of a path: `tools` for `/servers/{id}/tools/reorder`, `servers` for `/servers/{id}/toggle`. */
export function subjectOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const [first = '', second] = segments;
  if (first === 'servers' && second?.endsWith('s')) return second === 'keys' ? 'endpoint-keys' : second;
  return first.replace(/\.json$/, '');
}

const labels: Record<string, string> = {
  'api-keys': 'API keys',
  'endpoint-keys': 'Endpoint keys',
  openapi: 'OpenAPI document',
  me: 'Current user',
};

function labelOf(name: string): string {
  return labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

function operationsOf(root: Json, path: string, item: Json): ApiOperation[] {
  const operations: ApiOperation[] = [];
  for (const method of methodOrder.filter((name) => name in item)) {
    const operation = readOperation(root, path, method, asRecord(item[method]));
    const existing = operations.find(({ summary }) => summary === operation.summary);
    if (existing) existing.methods.push(method);
    else operations.push(operation);
  }
  for (const { methods } of operations)
    methods.sort((one, other) => updateOrder.indexOf(one) - updateOrder.indexOf(other));
  return operations;
}

function readOperation(root: Json, path: string, method: string, operation: Json): ApiOperation {
  const responses = Object.entries(asRecord(operation.responses)).map(
    ([status, reply]) => [status, resolve(root, reply)] as const,
  );
  return {
    id: asText(operation.operationId) || `${method} ${path}`,
    methods: [method],
    path,
    summary: asText(operation.summary),
    parameters: asList(operation.parameters).flatMap((parameter) => readParameter(root, resolve(root, parameter))),
    body: bodyFields(root, operation.requestBody),
    responses: responses
      .filter(([status]) => status.startsWith('2'))
      .map(([status, reply]) => readResponse(root, status, reply)),
    errors: responses
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, reply]) => ({ status, description: asText(reply.description) })),
    needsKey: !Array.isArray(operation.security) || operation.security.length > 0,
  };
}

/** Leaves out `context`, which exists for compatibility and has no effect. */
function readParameter(root: Json, parameter: Json): ApiParameter[] {
  const location = parameter.in;
  if (parameter.name === 'context' || (location !== 'path' && location !== 'query' && location !== 'header')) return [];
  const schema = resolve(root, parameter.schema);
  return [
    {
      name: asText(parameter.name),
      location,
      type: describeType(root, schema),
      required: parameter.required === true,
      description: asText(parameter.description) || asText(schema.description),
      fields: [],
      schema,
    },
  ];
}

function readResponse(root: Json, status: string, reply: Json): OperationResponse {
  const content = asRecord(reply.content);
  const schema = resolve(root, asRecord(content['application/json']).schema);
  const others = Object.keys(content).filter((type) => type !== 'application/json');
  return {
    status,
    description: asText(reply.description),
    type: ['application/json' in content ? describeType(root, schema) : '', ...others].filter(Boolean).join(', or '),
    fields: schemaFields(root, schema),
  };
}

/** Operations whose path, summary or fields contain all words, by group. */
export function searchOperations(groups: readonly ApiGroup[], text: string): ApiGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((operation) => {
        const searchText = searchTextOf(group, operation);
        return words.every((word) => searchText.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}

function searchTextOf(group: ApiGroup, { id, methods, path, summary, parameters, body }: ApiOperation): string {
  const names = [...parameters, ...body].map(({ name }) => name);
  return [group.label, id, ...methods, path, summary, ...names].join(' ').toLowerCase();
}
