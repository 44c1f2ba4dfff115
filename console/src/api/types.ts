/** The product's words, taken from the OpenAPI document. */
import type { Body, Reply } from './contract';

export type Server = Reply<'get', '/servers/{id}'>;
export type ServerBody = Body<'patch', '/servers/{id}'>;
export type NewServer = Body<'post', '/servers'>;
export type ServerKey = Reply<'get', '/servers/{id}/keys/{key_id}'>;
export type NewServerKey = Reply<'post', '/servers/{id}/keys'>;

export type Tool = Reply<'get', '/tools/{id}'>;
export type ToolBody = Body<'patch', '/tools/{id}'>;
export type NewTool = Body<'post', '/servers/{server_id}/tools'>;
export type TestResult = Reply<'post', '/tools/{id}/test'>;
export type CurlImport = Reply<'post', '/tools/import-curl'>;

export type Prompt = Reply<'get', '/servers/{server_id}/prompts/{id}'>;
export type PromptBody = Body<'patch', '/servers/{server_id}/prompts/{id}'>;
export type NewPrompt = Body<'post', '/servers/{server_id}/prompts'>;

export type Resource = Reply<'get', '/servers/{server_id}/resources/{id}'>;
export type ResourceBody = Body<'patch', '/servers/{server_id}/resources/{id}'>;
export type NewResource = Body<'post', '/servers/{server_id}/resources'>;

export type User = Reply<'get', '/users/{id}'>;
export type ApiKey = Reply<'get', '/api-keys/{id}'>;
export type NewApiKey = Reply<'post', '/api-keys'>;

export type Call = Reply<'get', '/calls'>[number];
export type CallDetail = Reply<'get', '/calls/{id}'>;

export type Overview = Reply<'get', '/analytics/overview'>;
export type ClientUsage = Reply<'get', '/analytics/client-breakdown'>[number];
export type TimePoint = Reply<'get', '/analytics/timeseries'>[number];
export type ToolUsage = Reply<'get', '/analytics/tools'>[number];
export type ServerUsage = Reply<'get', '/analytics/servers'>[number];

export type Me = Reply<'get', '/me'>;
export type Settings = Reply<'get', '/settings'>;

/** A call of the live stream: it has no place in the log yet, and goes without names. */
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

export interface Missed {
  missed: number | null;
}
