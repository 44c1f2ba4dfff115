import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type ClientId, clientLabel, clients, isClient, type SnippetTarget, serverName } from './snippets';

const url = 'https://gate.example/mcp/weather/0519b91d';
const keyless: SnippetTarget = { name: 'weather', url, key: undefined };
const keyed: SnippetTarget = { name: 'weather', url, key: 'tg_abc123' };
const hostileKey = `a"b'c\\d $(touch x) \`id\``;
const hostile: SnippetTarget = { name: `we"a'th\\er\n<b>`, url, key: hostileKey };

function snippet(id: ClientId, target: SnippetTarget) {
  return clients[id].snippet(target);
}

function parsed(id: ClientId, target: SnippetTarget) {
  return JSON.parse(snippet(id, target).text);
}

/** The arguments as parsed by a shell; the program is replaced by one that prints its arguments. */
function argumentsOf(id: ClientId, target: SnippetTarget): string[] {
  const [program = '', ...rest] = snippet(id, target).text.split(' ');
  expect(program).toMatch(/^(claude|npx|curl)$/);
  const script = `show() { for word in "$@"; do printf '%s\\0' "$word"; done; }; show ${rest.join(' ')}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

it('every supported client has a label', () => {
  expect(Object.values(clients).map(({ label }) => label)).toEqual([
    'Claude Desktop',
    'Claude Code',
    'Cursor',
    'VS Code',
    'Windsurf',
    'ChatGPT',
    'Codex',
    'Zed',
    'MCP Inspector',
    'curl',
  ]);
  expect(isClient('zed')).toBe(true);
  expect(isClient('toString')).toBe(false);
});

it('a long slug is truncated without a trailing hyphen', () => {
  expect(serverName('weather')).toBe('weather');
  expect(serverName(`${'a'.repeat(31)}-${'b'.repeat(60)}`)).toBe('a'.repeat(31));
  expect(serverName('c'.repeat(200))).toBe('c'.repeat(32));
});

it('a supported client is shown by its label, any other by the name that it sends', () => {
  expect(clientLabel('cursor', 'cursor-vscode')).toBe('Cursor');
  expect(clientLabel('my-agent', 'My Agent')).toBe('My Agent');
  expect(clientLabel('my-agent', null)).toBe('my-agent');
  expect(clientLabel('unknown', '')).toBe('A client');
});

it.each(Object.keys(clients).filter(isClient))(
  'the snippet for %s has the URL, and a key only if the server requires one',
  (id) => {
    expect(snippet(id, keyless).text).toContain(url);
    expect(snippet(id, keyless).text).not.toMatch(/authorization|bearer|key/i);
    expect(snippet(id, keyed).text).toContain(url);
    expect(snippet(id, keyed).instructions).toMatch(/\.$/);
  },
);

describe('Claude Desktop', () => {
  it('starts mcp-remote', () => {
    expect(parsed('claude-desktop', keyless)).toEqual({
      mcpServers: { weather: { command: 'npx', args: ['-y', 'mcp-remote', url, '--transport', 'http-only'] } },
    });
  });

  it('passes the key in the environment', () => {
    const { args, env } = parsed('claude-desktop', keyed).mcpServers.weather;
    expect(args.slice(-2)).toEqual(['--header', `Authorization:\${AUTH_HEADER}`]);
    expect(env).toEqual({ AUTH_HEADER: 'Bearer tg_abc123' });
  });

  it('allows plain http explicitly', () => {
    const { args } = parsed('claude-desktop', { ...keyless, url: 'http://127.0.0.1:8080/mcp/a/b' }).mcpServers.weather;
    expect(args).toContain('--allow-http');
    expect(parsed('claude-desktop', keyless).mcpServers.weather.args).not.toContain('--allow-http');
  });
});

describe('Claude Code', () => {
  it('is a single shell command', () => {
    expect(snippet('claude-code', keyless).text).toBe(`claude mcp add --transport http weather ${url}`);
    const words = ['mcp', 'add', '--transport', 'http', 'weather', url, '--header', 'Authorization: Bearer tg_abc123'];
    expect(argumentsOf('claude-code', keyed)).toEqual(words);
  });

  it('quotes names and keys with shell syntax', () => {
    const words = argumentsOf('claude-code', hostile);
    expect(words[4]).toBe(hostile.name);
    expect(words.at(-1)).toBe(`Authorization: Bearer ${hostileKey}`);
  });
});

describe('Cursor', () => {
  it('has url and headers', () => {
    expect(parsed('cursor', keyed)).toEqual({
      mcpServers: { weather: { url, headers: { Authorization: 'Bearer tg_abc123' } } },
    });
  });

  it('has an install link with the same configuration in base64', () => {
    const link = new URL(snippet('cursor', { ...hostile, name: 'wetter ü' }).install ?? '');
    expect(link.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/);
    expect(link.searchParams.get('name')).toBe('wetter ü');
    const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString('utf8');
    expect(JSON.parse(config)).toEqual({ url, headers: { Authorization: `Bearer ${hostileKey}` } });
  });
});

describe('VS Code', () => {
  it('prompts for the key instead of storing it in the file', () => {
    const { inputs, servers } = parsed('vscode', keyed);
    expect(inputs).toEqual([
      { type: 'promptString', id: 'weather-key', description: 'Key for weather', password: true },
    ]);
    expect(servers.weather).toEqual({
      type: 'http',
      url,
      headers: { Authorization: `Bearer \${input:weather-key}` },
    });
    expect(snippet('vscode', keyed).text).not.toContain('tg_abc123');
  });

  it('has an install link with name and configuration', () => {
    const link = snippet('vscode', keyless).install ?? '';
    expect(link.startsWith('vscode:mcp/install?')).toBe(true);
    expect(JSON.parse(decodeURIComponent(link.slice('vscode:mcp/install?'.length)))).toEqual({
      name: 'weather',
      type: 'http',
      url,
    });
  });
});

it('Windsurf uses serverUrl', () => {
  expect(parsed('windsurf', keyed)).toEqual({
    mcpServers: { weather: { serverUrl: url, headers: { Authorization: 'Bearer tg_abc123' } } },
  });
});

it('Zed uses context_servers', () => {
  expect(parsed('zed', keyed)).toEqual({
    context_servers: { weather: { url, headers: { Authorization: 'Bearer tg_abc123' } } },
  });
});

it('names are escaped in JSON', () => {
  for (const id of ['claude-desktop', 'cursor', 'windsurf'] as const) {
    expect(Object.keys(parsed(id, hostile).mcpServers)).toEqual([hostile.name]);
  }
});

describe('ChatGPT', () => {
  it('the snippet is only the URL', () => {
    expect(snippet('chatgpt', keyless)).toMatchObject({ text: url, warning: undefined });
  });

  it('warns if ChatGPT cannot connect', () => {
    expect(snippet('chatgpt', keyed).warning).toMatch(/key/);
    expect(snippet('chatgpt', { ...keyless, url: 'http://127.0.0.1:8080/mcp' }).warning).toMatch(/https/);
  });

  it('mentions the key also if the URL cannot be reached', () => {
    const { warning, instructions } = snippet('chatgpt', { ...keyed, url: 'http://127.0.0.1:8080/mcp' });
    expect(warning).toMatch(/https.*cannot send an endpoint key/);
    expect(instructions).toMatch(/OAuth.*requires sign-in/);
    expect(snippet('chatgpt', keyless).instructions).not.toMatch(/key/);
  });
});

describe('Codex', () => {
  it('is a TOML table', () => {
    expect(snippet('codex', keyed).text).toBe(
      `[mcp_servers.weather]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer tg_abc123" }`,
    );
  });

  it('quotes special characters in TOML', () => {
    const [head, , headers] = snippet('codex', { ...hostile, name: 'a.b"c' }).text.split('\n');
    expect(head).toBe('[mcp_servers."a.b\\"c"]');
    expect(headers).toBe(`http_headers = { Authorization = ${JSON.stringify(`Bearer ${hostileKey}`)} }`);
    expect(snippet('codex', { ...keyless, name: 'a\u007fb' }).text).toContain('"a\\u007Fb"');
  });
});

describe('MCP Inspector', () => {
  it('opens the web page, or uses the CLI with a key', () => {
    expect(snippet('mcp-inspector', keyless).text).toBe(
      `npx @modelcontextprotocol/inspector --transport http --server-url ${url}`,
    );
    const words = argumentsOf('mcp-inspector', hostile);
    expect(words).toContain('--cli');
    expect(words[words.indexOf('--header') + 1]).toBe(`Authorization: Bearer ${hostileKey}`);
    expect(words.slice(-2)).toEqual(['--method', 'tools/list']);
  });
});

it('curl lists the tools', () => {
  const words = argumentsOf('curl', hostile);
  expect(words[0]).toBe(url);
  expect(words).toContain(`Authorization: Bearer ${hostileKey}`);
  expect(JSON.parse(words.at(-1) ?? '')).toEqual({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
});
