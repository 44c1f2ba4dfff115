/** The editor's tabs, and the tab of each API field. */

export const tabs = [
  { id: 'request', label: 'Request' },
  { id: 'parameters', label: 'Parameters' },
  { id: 'authentication', label: 'Authentication' },
  { id: 'limits', label: 'Limits' },
  { id: 'advanced', label: 'Advanced' },
] as const;

export type TabId = (typeof tabs)[number]['id'];

const tabByField: Record<string, TabId> = {
  endpoint_url: 'request',
  http_method: 'request',
  headers: 'request',
  body_type: 'request',
  input_schema: 'parameters',
  parameter_mapping: 'parameters',
  parameters: 'parameters',
  auth_type: 'authentication',
  auth_credentials: 'authentication',
  timeout: 'limits',
  cache_ttl: 'limits',
  retry_count: 'limits',
  status: 'advanced',
  response_type: 'advanced',
  output_schema: 'advanced',
  required_client_capabilities: 'advanced',
  annotations: 'advanced',
};

/** Name and description are above the tabs. */
export const fieldNames: readonly string[] = ['name', 'description', ...Object.keys(tabByField)];

export function findInvalidTabs(errors: Record<string, string>): Set<TabId> {
  return new Set(
    Object.keys(errors)
      .map((field) => tabByField[field])
      .filter((tab) => tab !== undefined),
  );
}

export function isTab(text: string | null): text is TabId {
  return tabs.some(({ id }) => id === text);
}
