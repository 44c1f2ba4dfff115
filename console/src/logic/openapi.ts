/** An OpenAPI document as a page can show it: operations by subject, with what they take and give in flat lists. */
import {
  type ApiField,
  asList,
  asRecord,
  asText,
  bodyFields,
  type Json,
  resolve,
  schemaFields,
  typeWords,
} from './openapi-schema';

export interface ApiParameter extends ApiField {
  where: 'path' | 'query' | 'header';
}

export interface ApiReply {
  status: string;
  description: string;
  /** Of JSON; empty where there is nothing to say. */
  type: string;
  fields: ApiField[];
}

export interface ApiOperation {
  id: string;
  /** The first is the one to use; the others do the same. */
  methods: string[];
  path: string;
  summary: string;
  parameters: ApiParameter[];
  body: ApiField[];
  replies: ApiReply[];
  /** Statuses that carry an error. */
  errors: { status: string; description: string }[];
  needsKey: boolean;
}

export interface ApiGroup {
  name: string;
  label: string;
  operations: ApiOperation[];
}

const methodOrder = ['get', 'post', 'patch', 'put', 'delete'];
/** Of methods that do the same, what an update should be sent as comes first. */
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

/** What a path is about: `/servers/{id}/tools/reorder` is about tools, `/servers/{id}/toggle` about servers. */
export function subjectOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const [first = '', second] = segments;
  if (first === 'servers' && second?.endsWith('s')) return second === 'keys' ? 'endpoint-keys' : second;
  return first.replace(/\.json$/, '');
}

const labels: Record<string, string> = {
  'api-keys': 'API keys',
  'endpoint-keys': 'Keys of endpoints',
  openapi: 'This document',
  me: 'Who calls',
};

function labelOf(name: string): string {
  return labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

function operationsOf(root: Json, path: string, item: Json): ApiOperation[] {
  const operations: ApiOperation[] = [];
  for (const method of methodOrder.filter((name) => name in item)) {
    const operation = readOperation(root, path, method, asRecord(item[method]));
    const twin = operations.find(({ summary }) => summary === operation.summary);
    if (twin) twin.methods.push(method);
    else operations.push(operation);
  }
  for (const { methods } of operations)
    methods.sort((one, other) => updateOrder.indexOf(one) - updateOrder.indexOf(other));
  return operations;
}

function readOperation(root: Json, path: string, method: string, operation: Json): ApiOperation {
  const replies = Object.entries(asRecord(operation.responses));
  return {
    id: asText(operation.operationId) || `${method} ${path}`,
    methods: [method],
    path,
    summary: asText(operation.summary),
    parameters: asList(operation.parameters).flatMap((parameter) => readParameter(root, asRecord(parameter))),
    body: bodyFields(root, operation.requestBody),
    replies: replies
      .filter(([status]) => status.startsWith('2'))
      .map(([status, reply]) => readReply(root, status, asRecord(reply))),
    errors: replies
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, reply]) => ({ status, description: asText(asRecord(reply).description) })),
    needsKey: !Array.isArray(operation.security) || operation.security.length > 0,
  };
}

/** `context` is there for other clients' sake and does nothing: it would only be in the way. */
function readParameter(root: Json, parameter: Json): ApiParameter[] {
  const where = parameter.in;
  if (parameter.name === 'context' || (where !== 'path' && where !== 'query' && where !== 'header')) return [];
  const schema = resolve(root, parameter.schema);
  return [
    {
      name: asText(parameter.name),
      where,
      type: typeWords(root, schema),
      required: parameter.required === true,
      description: asText(parameter.description) || asText(schema.description),
      fields: [],
      schema,
    },
  ];
}

function readReply(root: Json, status: string, reply: Json): ApiReply {
  const content = asRecord(reply.content);
  const schema = resolve(root, asRecord(content['application/json']).schema);
  const others = Object.keys(content).filter((type) => type !== 'application/json');
  return {
    status,
    description: asText(reply.description),
    type: ['application/json' in content ? typeWords(root, schema) : '', ...others].filter(Boolean).join(', or '),
    fields: schemaFields(root, schema),
  };
}

/** Groups with the operations that have all the words somewhere in their address, summary or fields. */
export function searchOperations(groups: readonly ApiGroup[], text: string): ApiGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((operation) => {
        const hay = searchable(group, operation);
        return words.every((word) => hay.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}

function searchable(group: ApiGroup, { id, methods, path, summary, parameters, body }: ApiOperation): string {
  const names = [...parameters, ...body].map(({ name }) => name);
  return [group.label, id, ...methods, path, summary, ...names].join(' ').toLowerCase();
}
