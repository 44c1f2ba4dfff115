/** An API document as the service reads it: candidates for tools, problems, servers and security schemes. */
import type { ApiCandidate, ApiImportReport } from '../api/types';

export interface ApiWarning {
  code: string;
  message: string;
  pointer: string;
}

export interface ServerVariable {
  default?: unknown;
  description?: unknown;
  enum?: unknown;
}

export interface ApiServer {
  url: string;
  description: string | null;
  variables: Record<string, ServerVariable>;
}

export interface SchemeKey {
  key_name: string;
  key_location: string;
  /** Start of the value, such as `Bearer `. */
  prefix?: string;
}

export interface SecurityScheme {
  name: string;
  auth_type: string;
  /** The members of `auth_credentials` that the user must enter. */
  needs: string[];
  supported: boolean;
  /** The members that the document specifies. */
  auth_credentials?: { keys?: SchemeKey[] } & Record<string, unknown>;
}

export type Candidate = Omit<ApiCandidate, 'warnings'> & { warnings: ApiWarning[] };

export type ApiImport = Omit<ApiImportReport, 'servers' | 'security_schemes' | 'candidates' | 'warnings' | 'totals'> & {
  servers: ApiServer[];
  security_schemes: SecurityScheme[];
  candidates: Candidate[];
  warnings: ApiWarning[];
  totals: ApiImportReport['totals'] & {
    /** Number of candidates that are not in `candidates`, because there are too many. */
    unlisted?: number;
    /** Number of webhooks, which are never imported. */
    webhooks?: number;
    /** How many parts of a collection or a recording are not imported, by reason. */
    left_out?: Record<string, number>;
  };
  /** The document; present if the request has `include_content`. */
  content?: string;
};

const formatNames: Record<string, string> = {
  openapi: 'OpenAPI',
  swagger: 'Swagger',
  postman: 'Postman collection',
  har: 'HAR recording',
};

/** `OpenAPI 3.1.0`. */
export function formatLabel({ format, version }: { format: string; version: string }): string {
  return `${formatNames[format] ?? format} ${version}`.trim();
}

/** Method and path of an operation: `GET /pets/{id}`. */
export function splitOperation(operation: string): { method: string; path: string } {
  const at = operation.indexOf(' ');
  return at < 0 ? { method: '', path: operation } : { method: operation.slice(0, at), path: operation.slice(at + 1) };
}

/** A text with more characters than this is long. The page lists long texts: models follow them as instructions. */
export const longTextMin = 2_000;

/** The length, in characters, of the longest text that the tool gives to a model. */
export function longestText({ description, input_schema }: Pick<Candidate, 'description' | 'input_schema'>): number {
  let longest = description.length;
  const visit = (value: unknown): void => {
    if (typeof value === 'string') longest = Math.max(longest, value.length);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(input_schema);
  return longest;
}
