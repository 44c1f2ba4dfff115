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
  /** What the value begins with, such as `Bearer `. */
  prefix?: string;
}

export interface SecurityScheme {
  name: string;
  auth_type: string;
  /** The members of `auth_credentials` that have to be given. */
  needs: string[];
  supported: boolean;
  /** The members that the document determines. */
  auth_credentials?: { keys?: SchemeKey[] } & Record<string, unknown>;
}

export type Candidate = Omit<ApiCandidate, 'warnings'> & { warnings: ApiWarning[] };

export type ApiImport = Omit<ApiImportReport, 'servers' | 'security_schemes' | 'candidates' | 'warnings' | 'totals'> & {
  servers: ApiServer[];
  security_schemes: SecurityScheme[];
  candidates: Candidate[];
  warnings: ApiWarning[];
  totals: ApiImportReport['totals'] & { unlisted?: number; webhooks?: number; left_out?: Record<string, number> };
  /** The document; present if it was asked for. */
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

/** Texts of a tool that are longer than this are listed: models read them as instructions. */
export const longTextMin = 2_000;

/** The length of the longest text that the tool gives to a model. */
export function longestText({ description, input_schema }: Pick<Candidate, 'description' | 'input_schema'>): number {
  let longest = description.length;
  const visit = (value: unknown): void => {
    if (typeof value === 'string') longest = Math.max(longest, value.length);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(input_schema);
  return longest;
}
