/** Names for the schemas of the OpenAPI document. */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Server = Schemas['Server'];
export type ServerPatch = Schemas['UpdateServer'];
export type NewServer = Schemas['CreateServer'];
export type EndpointKey = Schemas['EndpointKey'];
export type CreatedEndpointKey = Schemas['CreatedEndpointKey'];

export type ServerCredential = Schemas['ServerCredential'];

export type Tool = Schemas['Tool'];
export type ToolPatch = Schemas['UpdateTool'];
export type NewTool = Schemas['CreateTool'];
export type ServerLint = Schemas['ServerLint'];
export type LintFinding = ServerLint['findings'][number];
export type ToolTestResult = Schemas['TestResult'];
export type ShapingProposal = Schemas['ShapingProposal'];
export type ProposedPath = Schemas['ProposedPath'];
export type CurlImport = Schemas['CurlImport'];
export type ApiImportReport = Schemas['ApiImport'];
export type ApiCandidate = Schemas['ApiCandidate'];
export type ApiProblem = Schemas['ApiProblem'];
/** The result of an import: the tools that it created, updated, skipped or removed, and those that failed. */
export type ToolImport = Schemas['ToolImport'];
export type ApiDocument = Schemas['ApiDocument'];

export type Prompt = Schemas['Prompt'];
export type PromptPatch = Schemas['UpdatePrompt'];
export type NewPrompt = Schemas['CreatePrompt'];

export type Resource = Schemas['Resource'];
export type ResourcePatch = Schemas['UpdateResource'];
export type NewResource = Schemas['CreateResource'];

export type Member = Schemas['Member'];
export type User = Schemas['User'];
export type Identity = Schemas['Identity'];
export type ApiKey = Schemas['ApiKey'];
export type CreatedApiKey = Schemas['CreatedApiKey'];

export type Grant = Schemas['Grant'];
export type OAuthClient = Schemas['OAuthClient'];
export type CreatedOAuthClient = Schemas['CreatedOAuthClient'];
export type SignInLink = Schemas['SignInLink'];
export type Issuer = Schemas['Issuer'];

export type AuditEntry = Schemas['AuditEntry'];

export type Call = Schemas['Call'];
export type CallDetail = Schemas['CapturedCall'];

export type Overview = Schemas['Overview'];
export type ClientUsage = Schemas['ClientUsage'];
export type TimePoint = Schemas['TimePoint'];
export type ToolUsage = Schemas['ToolUsage'];
export type RefusalTotals = Schemas['Refusals'];
export type ServerUsage = Schemas['ServerUsage'];
export type KeyUsage = Schemas['KeyUsage'];

export type Me = Schemas['Me'];
export type Settings = Schemas['Settings'];
export type Node = Schemas['Node'];

/** A call from the live stream: it has no id in the call log yet, and no names. */
export type LiveCall = Omit<Call, 'id' | 'server_name' | 'tool_name' | 'endpoint_key_name' | 'user_name'> & {
  id: null;
  server_name: null;
  tool_name: null;
  endpoint_key_name: null;
  user_name: null;
};

export interface ClientConnected {
  time: string;
  server_id: number;
  client_type: string;
  client_name: string | null;
  protocol_version: string | null;
  method: string;
}

export interface MissedEvents {
  /** Number of dropped events; null for callers who cannot see every server, because it includes other servers. */
  missed: number | null;
}
