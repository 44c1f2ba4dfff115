/** Names for the types of the OpenAPI document. */
import type { RequestBody, ResponseBody } from './contract';

export type Server = ResponseBody<'get', '/servers/{id}'>;
export type ServerPatch = RequestBody<'patch', '/servers/{id}'>;
export type NewServer = RequestBody<'post', '/servers'>;
export type ServerKey = ResponseBody<'get', '/servers/{id}/keys/{key_id}'>;
export type CreatedServerKey = ResponseBody<'post', '/servers/{id}/keys'>;

export type Tool = ResponseBody<'get', '/tools/{id}'>;
export type ToolPatch = RequestBody<'patch', '/tools/{id}'>;
export type NewTool = RequestBody<'post', '/servers/{server_id}/tools'>;
export type ToolTestResult = ResponseBody<'post', '/tools/{id}/test'>;
export type CurlImport = ResponseBody<'post', '/tools/import-curl'>;

export type Prompt = ResponseBody<'get', '/servers/{server_id}/prompts/{id}'>;
export type PromptPatch = RequestBody<'patch', '/servers/{server_id}/prompts/{id}'>;
export type NewPrompt = RequestBody<'post', '/servers/{server_id}/prompts'>;

export type Resource = ResponseBody<'get', '/servers/{server_id}/resources/{id}'>;
export type ResourcePatch = RequestBody<'patch', '/servers/{server_id}/resources/{id}'>;
export type NewResource = RequestBody<'post', '/servers/{server_id}/resources'>;

export type User = ResponseBody<'get', '/users/{id}'>;
export type ApiKey = ResponseBody<'get', '/api-keys/{id}'>;
export type CreatedApiKey = ResponseBody<'post', '/api-keys'>;

export type Call = ResponseBody<'get', '/calls'>[number];
export type CallDetail = ResponseBody<'get', '/calls/{id}'>;

export type Overview = ResponseBody<'get', '/analytics/overview'>;
export type ClientUsage = ResponseBody<'get', '/analytics/client-breakdown'>[number];
export type TimePoint = ResponseBody<'get', '/analytics/timeseries'>[number];
export type ToolUsage = ResponseBody<'get', '/analytics/tools'>[number];
export type ServerUsage = ResponseBody<'get', '/analytics/servers'>[number];

export type Me = ResponseBody<'get', '/me'>;
export type Settings = ResponseBody<'get', '/settings'>;

/** A call from the live stream: it has no id in the call log yet, and no names. */
export type LiveCall = Omit<Call, 'id' | 'server_name' | 'tool_name'> & {
  id: null;
  server_name: null;
  tool_name: null;
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
  /** Number of dropped events; null unless the caller can see every server. */
  missed: number | null;
}
