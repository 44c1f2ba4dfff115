/** The importer's draft of a tool, and its values as editable rows. */
import type { JsonObject } from './json';
import type { JsonType } from './json-types';

export type ValueLocation = 'path' | 'query' | 'header' | 'body';

/** `omitted`: the tool does not send the value. */
export type ValueMode = 'fixed' | 'argument' | 'omitted';

/** Where an argument is sent; `headers` is an alias of `header`. */
export interface Mapping {
  location: ValueLocation | 'headers';
  name?: string;
  /** The object in the body that contains the value. */
  parent?: string;
  /** Makes the rule a constant. */
  value?: unknown;
}

/** The parts of a tool that the rows determine. */
export interface RequestParts {
  endpoint_url: string;
  headers: Record<string, string>;
  input_schema: JsonObject;
  parameter_mapping: Record<string, Mapping>;
}

/** One of several API keys. */
export interface CurlKey {
  key_name: string;
  key_value: string;
  key_location: string;
}

/** A shell variable in the credentials, the headers or the host, whose value is unknown. */
export interface CurlVariable {
  /** The variable as the command has it, such as `$TOKEN`. */
  text: string;
  /** Its value is a credential or a part of one. */
  secret: boolean;
}

/** One tool in the response of `POST /tools/import-curl?infer=1`. */
export interface CurlDraft extends RequestParts {
  name: string;
  description: string;
  http_method: string;
  auth_type: 'none' | 'bearer' | 'basic' | 'api-key';
  /** Texts by name; `keys` has several API keys. */
  auth_credentials: Record<string, string | CurlKey[]>;
  /** The values that the command sends, by argument, at every location, not only in the body. */
  body: JsonObject;
  body_type?: 'json' | 'form' | 'multipart' | 'raw';
  timeout?: number;
  warnings?: string[];
  annotations?: JsonObject;
  variables?: CurlVariable[];
}

/** Where in the draft a value comes from. */
export type ValueOrigin =
  | { kind: 'segment'; index: number }
  | { kind: 'placeholder'; name: string }
  | { kind: 'query'; name: string }
  | { kind: 'header'; name: string }
  | { kind: 'argument' }
  | { kind: 'constant'; key: string };

/** One value of the request: fixed, an argument that the model fills in, or left out. */
export interface ValueRow {
  /** Identifies the location in the request; stable when the command is imported again. */
  id: string;
  origin: ValueOrigin;
  location: ValueLocation;
  /** The name of the value in the request; for a path segment, the text of the segment. */
  label: string;
  /** The object in the body that contains the value. */
  parent: string | undefined;
  /** The pasted value. */
  value: unknown;
  secret: boolean;
  /** The modes that the value can have. */
  modes: readonly ValueMode[];
  /** Why it cannot be both fixed and an argument; undefined if it can. */
  lockReason: string | undefined;
  /** The values before the user edits them. */
  imported: { mode: ValueMode; argument: string; property: JsonObject; required: boolean };
  mode: ValueMode;
  argument: string;
  /** Undefined if the schema has no type, or several. */
  type: JsonType | undefined;
  required: boolean;
  description: string;
}

/** The user's changes to a row. */
export type RowEdit = Partial<Pick<ValueRow, 'mode' | 'argument' | 'type' | 'required' | 'description'>>;
