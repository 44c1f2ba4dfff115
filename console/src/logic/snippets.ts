/** What a client needs to find a server: the text to paste, where it goes, and a link that does it where the client has one. */
import { shellWord, shellWords } from './shell';
import { tomlKey, tomlString } from './toml';

export interface Target {
  /** What the client is to call the server. */
  name: string;
  url: string;
  /** The key to send, or what stands for it; undefined where the server wants none. */
  key: string | undefined;
}

export interface Snippet {
  text: string;
  /** What the text is: "mcp.json", "Terminal". */
  label: string;
  /** One sentence. */
  where: string;
  /** Opens the client and adds the server. */
  install?: string | undefined;
  /** Why it may not work, where that is known beforehand. */
  warning?: string | undefined;
}

interface Client {
  label: string;
  snippet: (target: Target) => Snippet;
}

/** Stands in a snippet until there is a key. */
export const keyPlaceholder = 'YOUR_KEY';

/** By the words that the API has for them in `client_type`. */
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

/** A slug as the name of a server in clients: some put it before each tool's name, and models take 64 letters for both. */
export function serverName(slug: string): string {
  return slug.length <= 32 ? slug : slug.slice(0, 32).replace(/-+$/, '');
}

/** What a client that connected is called: by us where we know it, else by itself. */
export function clientLabel(type: string, name: string | null): string {
  return isClient(type) ? clients[type].label : name || (type === 'unknown' ? 'A client' : type);
}

/** Its configuration file knows only programs to start; mcp-remote is one that passes everything on. */
function claudeDesktop({ name, url, key }: Target): Snippet {
  const args = ['-y', 'mcp-remote', url, '--transport', 'http-only'];
  if (url.startsWith('http://')) args.push('--allow-http');
  // Without a space in the argument, which Windows would cut there; the value travels in the environment.
  if (key !== undefined) args.push('--header', `Authorization:\${AUTH_HEADER}`);
  const env = key === undefined ? {} : { env: { AUTH_HEADER: `Bearer ${key}` } };
  return {
    label: 'claude_desktop_config.json',
    text: json({ mcpServers: { [name]: { command: 'npx', args, ...env } } }),
    where: 'Settings → Developer → Edit Config, then quit and start Claude Desktop again. It needs Node.js.',
  };
}

/** One line: how a line goes on is another thing in each shell. */
function claudeCode({ name, url, key }: Target): Snippet {
  const header = key === undefined ? '' : ` --header ${shellWord(bearer(key))}`;
  return {
    label: 'Terminal',
    text: `claude mcp add --transport http ${shellWords(name, url)}${header}`,
    where: 'Run it in your project’s folder; with --scope user it counts for all projects.',
  };
}

function cursor({ name, url, key }: Target): Snippet {
  const server = { url, ...headers(key) };
  const query = new URLSearchParams({ name, config: base64(JSON.stringify(server)) });
  return {
    label: 'mcp.json',
    text: json({ mcpServers: { [name]: server } }),
    where: '~/.cursor/mcp.json for all projects, or .cursor/mcp.json in one.',
    install: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
  };
}

/** VS Code asks for the key itself and keeps it safe, so that the file can be shared. */
function vsCode({ name, url, key }: Target): Snippet {
  const id = `${name}-key`;
  const inputs =
    key === undefined ? {} : { inputs: [{ type: 'promptString', id, description: `Key for ${name}`, password: true }] };
  const server = { type: 'http', url, ...headers(key === undefined ? undefined : `\${input:${id}}`) };
  return {
    label: 'mcp.json',
    text: json({ ...inputs, servers: { [name]: server } }),
    where:
      key === undefined
        ? '.vscode/mcp.json in a project, or “MCP: Open User Configuration” for all.'
        : '.vscode/mcp.json in a project, or “MCP: Open User Configuration” for all. VS Code asks for the key when it first connects.',
    install: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...server, ...inputs }))}`,
  };
}

function windsurf({ name, url, key }: Target): Snippet {
  return {
    label: 'mcp_config.json',
    text: json({ mcpServers: { [name]: { serverUrl: url, ...headers(key) } } }),
    where: '~/.codeium/windsurf/mcp_config.json, then press Refresh in Cascade’s list of MCP servers.',
  };
}

/** It has no file: the address is typed into a form, and it is OpenAI's machines that call. */
function chatGpt({ url, key }: Target): Snippet {
  return {
    label: 'MCP server URL',
    text: url,
    where:
      'Settings → Apps → Advanced settings: switch Developer mode on, then Create app, paste the URL and choose “No authentication”.',
    warning: chatGptTrouble(url, key),
  };
}

function chatGptTrouble(url: string, key: string | undefined): string | undefined {
  if (!url.startsWith('https://')) {
    return 'ChatGPT calls from the internet and wants https: it cannot reach this address.';
  }
  if (key !== undefined) {
    return 'ChatGPT signs in by OAuth or not at all, so it cannot send a key: it works only with servers that want none.';
  }
  return undefined;
}

function codex({ name, url, key }: Target): Snippet {
  const lines = [`[mcp_servers.${tomlKey(name)}]`, `url = ${tomlString(url)}`];
  if (key !== undefined) lines.push(`http_headers = { Authorization = ${tomlString(`Bearer ${key}`)} }`);
  return {
    label: 'config.toml',
    text: lines.join('\n'),
    where: '~/.codex/config.toml; Codex’s terminal, editor and desktop versions share it.',
  };
}

function zed({ name, url, key }: Target): Snippet {
  return {
    label: 'settings.json',
    text: json({ context_servers: { [name]: { url, ...headers(key) } } }),
    where: 'Zed’s settings file: run “zed: open settings file” in the command palette.',
  };
}

/** Its web page takes no headers from the command line, its terminal mode does. */
function inspector({ url, key }: Target): Snippet {
  const start = `npx @modelcontextprotocol/inspector`;
  const address = `--transport http --server-url ${shellWord(url)}`;
  return {
    label: 'Terminal',
    text:
      key === undefined
        ? `${start} ${address}`
        : `${start} --cli ${address} --header ${shellWord(bearer(key))} --method tools/list`,
    where:
      key === undefined
        ? 'Run it, open the address that it prints, and connect.'
        : 'Run it to list the tools; in the Inspector’s web page, headers are set in the server’s settings.',
  };
}

function curl({ url, key }: Target): Snippet {
  const lines = [`curl ${shellWord(url)}`, `-H ${shellWord('Content-Type: application/json')}`];
  if (key !== undefined) lines.push(`-H ${shellWord(bearer(key))}`);
  lines.push(`-d ${shellWord(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))}`);
  return { label: 'Terminal', text: lines.join(' \\\n  '), where: 'Run it in a terminal: it lists the tools.' };
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

/** Of UTF-8, which btoa alone does not take. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
