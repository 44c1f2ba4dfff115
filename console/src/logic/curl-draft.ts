/** What the importer makes of a curl command, and the values in it that somebody may want to change. */
import type { JsonObject } from './json';
import type { JsonType } from './json-types';

export type Location = 'path' | 'query' | 'header' | 'body';
export type Mode = 'fixed' | 'argument';

/** Where an argument goes; `headers` is a second spelling of `header`. */
export interface Mapping {
  location: Location | 'headers';
  name?: string;
}

/** The part of a tool that toggles change. */
export interface RequestParts {
  endpoint_url: string;
  headers: Record<string, string>;
  input_schema: JsonObject;
  parameter_mapping: Record<string, Mapping>;
}

/** The reply of `POST /tools/import-curl?infer=1`, of one tool. */
export interface CurlDraft extends RequestParts {
  name: string;
  description: string;
  http_method: string;
  auth_type: 'none' | 'bearer' | 'basic' | 'api-key';
  auth_credentials: Record<string, string>;
  /** What the command sends, by argument. */
  body: JsonObject;
  body_type?: 'json' | 'form' | 'multipart' | 'raw';
  timeout?: number;
  warnings?: string[];
}

/** Where in the draft a value stands. */
export type Origin =
  | { kind: 'segment'; index: number }
  | { kind: 'slot'; name: string }
  | { kind: 'pairs'; name: string }
  | { kind: 'header'; name: string }
  | { kind: 'argument' };

/** One value of the request: fixed, or an argument that the model fills in. */
export interface ValueRow {
  /** The same for the same place of the request, also when the command is read again. */
  id: string;
  origin: Origin;
  location: Location;
  /** Its name in the request; of a part of the path, what stands there. */
  label: string;
  /** What was pasted. */
  value: unknown;
  secret: boolean;
  /** Why it stays as it is. */
  locked: string | undefined;
  /** How the importer has it. */
  imported: { mode: Mode; argument: string; property: JsonObject; required: boolean };
  mode: Mode;
  argument: string;
  /** Undefined where the schema says none, or several. */
  type: JsonType | undefined;
  required: boolean;
  description: string;
}

/** What somebody changed about a value. */
export type RowEdit = Partial<Pick<ValueRow, 'mode' | 'argument' | 'type' | 'required' | 'description'>>;
