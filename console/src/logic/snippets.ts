/** Configuration snippets for MCP clients: the text, where to paste it, and an install link if the client has one. */
import { shellWord, shellWords } from './shell';
import { tomlKey, tomlString } from './toml';

export interface SnippetTarget {
  /** The server's name in the client. */
  name: string;
  url: string;
  /** The endpoint key or a placeholder; undefined if the server requires no key. */
  key: string | undefined;
  /** The server requires sign-in. */
  signIn?: boolean | undefined;
}

export interface Snippet {
  text: string;
  /** "mcp.json", "Terminal". */
  label: string;
  /** What to do with the text, in one or two sentences. */
  instructions: string;
  /** Link that opens the client and adds the server. */
  install?: string | undefined;
  /** Why the client cannot connect, if this is known in advance. */
  warning?: string | undefined;
}

interface Client {
  label: string;
  snippet: (target: SnippetTarget) => Snippet;
}

/** Used in snippets until there is a key. */
export const keyPlaceholder = 'YOUR_KEY';

/** By `client_type` of the API. */
export const clients = {
  'claude-desktop': { label: 'Claude Desktop', snippet: claudeDesktop },
  'claude-code': { label: 'Claude Code', snippet: claudeCode },
  cursor: { label: 'Cursor', snippet: cursor },
  vscode: { label: 'VS Code', snippet: vsCode },
  windsurf: { label: 'Windsurf', snippet: windsurf },
  chatgpt: { label: 'ChatGPT', snippet: chatGpt },
  codex: { label: 'Codex', snippet: codex },
  zed: { label: 'Zed', snippet: zed },
  'mcp-inspector': { label: 'MCP Inspector', snippet: inspector },
  curl: { label: 'curl', snippet: curl },
} as const satisfies Record<string, Client>;

export type ClientId = keyof typeof clients;

export function isClient(id: string): id is ClientId {
  return Object.hasOwn(clients, id);
}

/** Some clients prefix tool names with the server's name, and models limit the result to 64 characters. */
const nameLengthMax = 32;

/** The server's name in clients. */
export function serverName(slug: string): string {
  return slug.length <= nameLengthMax ? slug : slug.slice(0, nameLengthMax).replace(/-+$/, '');
}

/** The label of a known client, else the name that the client sent. */
export function clientLabel(type: string, name: string | null): string {
  return isClient(type) ? clients[type].label : name || (type === 'unknown' ? 'A client' : type);
}

/** The configuration file of Claude Desktop only supports local commands; mcp-remote proxies to a URL. */
function claudeDesktop({ name, url, key }: SnippetTarget): Snippet {
  const args = ['-y', 'mcp-remote', url, '--transport', 'http-only'];
  if (url.startsWith('http://')) args.push('--allow-http');
  // No space in the argument, because Windows would split it there; the value is passed in the environment.
  if (key !== undefined) args.push('--header', `Authorization:\${AUTH_HEADER}`);
  const env = key === undefined ? {} : { env: { AUTH_HEADER: `Bearer ${key}` } };
  return {
    label: 'claude_desktop_config.json',
    text: json({ mcpServers: { [name]: { command: 'npx', args, ...env } } }),
    instructions:
      'Open Settings → Developer → Edit Config, add this to the file, then quit and restart Claude Desktop. Requires Node.js.',
  };
}

/** One line, because line continuation differs between shells. */
function claudeCode({ name, url, key }: SnippetTarget): Snippet {
  const header = key === undefined ? '' : ` --header ${shellWord(bearer(key))}`;
  return {
    label: 'Terminal',
    text: `claude mcp add --transport http ${shellWords(name, url)}${header}`,
    instructions: 'Run this in your project folder. Add --scope user to use it in all projects.',
  };
}

function cursor({ name, url, key }: SnippetTarget): Snippet {
  const server = { url, ...headers(key) };
  const query = new URLSearchParams({ name, config: base64(JSON.stringify(server)) });
  return {
    label: 'mcp.json',
    text: json({ mcpServers: { [name]: server } }),
    instructions: 'Add this to ~/.cursor/mcp.json for all projects, or to .cursor/mcp.json in one project.',
    install: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
  };
}

/** VS Code prompts for the key and stores it securely, so that the file can be shared. */
function vsCode({ name, url, key }: SnippetTarget): Snippet {
  const id = `${name}-key`;
  const inputs =
    key === undefined ? {} : { inputs: [{ type: 'promptString', id, description: `Key for ${name}`, password: true }] };
  const server = { type: 'http', url, ...headers(key === undefined ? undefined : `\${input:${id}}`) };
  return {
    label: 'mcp.json',
    text: json({ ...inputs, servers: { [name]: server } }),
    instructions:
      key === undefined
        ? 'Add this to .vscode/mcp.json in a project, or run “MCP: Open User Configuration” for all projects.'
        : 'Add this to .vscode/mcp.json in a project, or run “MCP: Open User Configuration” for all projects. VS Code asks for the key on the first connection.',
    install: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...server, ...inputs }))}`,
  };
}

function windsurf({ name, url, key }: SnippetTarget): Snippet {
  return {
    label: 'mcp_config.json',
    text: json({ mcpServers: { [name]: { serverUrl: url, ...headers(key) } } }),
    instructions:
      'Add this to ~/.codeium/windsurf/mcp_config.json, then select Refresh in Cascade’s list of MCP servers.',
  };
}

/** ChatGPT has no configuration file: the URL is entered in a form, and OpenAI's servers send the requests. */
function chatGpt({ url, key }: SnippetTarget): Snippet {
  const choice =
    key === undefined
      ? 'choose “No authentication”'
      : 'choose “OAuth”, after this server requires sign-in instead of a key';
  return {
    label: 'MCP server URL',
    text: url,
    instructions: `Open Settings → Apps → Advanced settings and turn on Developer mode. Then select Create app, paste the URL and ${choice}.`,
    warning: chatGptWarning(url, key),
  };
}

function chatGptWarning(url: string, key: string | undefined): string | undefined {
  const warnings = [];
  if (!url.startsWith('https://'))
    warnings.push('ChatGPT connects from the internet and requires https, so it cannot reach this URL.');
  if (key !== undefined)
    warnings.push(
      'ChatGPT cannot send an endpoint key, and this server requires one. Let people sign in instead (Access → Who may use it), or use another client.',
    );
  return warnings.length > 0 ? warnings.join(' ') : undefined;
}

function codex({ name, url, key }: SnippetTarget): Snippet {
  const lines = [`[mcp_servers.${tomlKey(name)}]`, `url = ${tomlString(url)}`];
  if (key !== undefined) lines.push(`http_headers = { Authorization = ${tomlString(`Bearer ${key}`)} }`);
  return {
    label: 'config.toml',
    text: lines.join('\n'),
    instructions: 'Add this to ~/.codex/config.toml, which the Codex CLI, editor extension and desktop app share.',
  };
}

function zed({ name, url, key }: SnippetTarget): Snippet {
  return {
    label: 'settings.json',
    text: json({ context_servers: { [name]: { url, ...headers(key) } } }),
    instructions: 'Run “zed: open settings file” in the command palette, and add this to the file.',
  };
}

/** Only the CLI mode of MCP Inspector accepts headers on the command line; the web page does not. */
function inspector({ url, key }: SnippetTarget): Snippet {
  const program = `npx @modelcontextprotocol/inspector`;
  const options = `--transport http --server-url ${shellWord(url)}`;
  return {
    label: 'Terminal',
    text:
      key === undefined
        ? `${program} ${options}`
        : `${program} --cli ${options} --header ${shellWord(bearer(key))} --method tools/list`,
    instructions:
      key === undefined
        ? 'Run this, open the URL that it prints, and connect.'
        : 'Run this to list the tools. In the Inspector’s web page, set headers in the server’s settings.',
  };
}

function curl({ url, key, signIn }: SnippetTarget): Snippet {
  const lines = [`curl ${shellWord(url)}`, `-H ${shellWord('Content-Type: application/json')}`];
  if (key !== undefined) lines.push(`-H ${shellWord(bearer(key))}`);
  lines.push(`-d ${shellWord(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))}`);
  return {
    label: 'Terminal',
    text: lines.join(' \\\n  '),
    instructions: 'Run this in a terminal to list the tools.',
    warning: signIn
      ? 'This server requires sign-in, and curl cannot sign in. Add an endpoint key as a Bearer token.'
      : undefined,
  };
}

function bearer(key: string): string {
  return `Authorization: Bearer ${key}`;
}

function headers(key: string | undefined): { headers?: { Authorization: string } } {
  return key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } };
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** Encodes as UTF-8 first, because btoa only accepts Latin-1. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
