/** How to add a server that requires sign-in to a client. */
import { type ClientId, clients, type SnippetTarget } from './snippets';

export interface SignInStep {
  text: string;
  /** What to paste, and where. */
  code?: { label: string; text: string } | undefined;
}

export interface SignInGuide {
  steps: SignInStep[];
  note?: string | undefined;
  /** Why the client cannot connect, if this is known in advance. */
  warning?: string | undefined;
  /** Link that opens the client and adds the server. */
  install?: string | undefined;
}

export interface SignInTarget {
  /** The server's name in the client. */
  name: string;
  url: string;
  /** The host of an external issuer; undefined if people sign in at this service. */
  issuerHost: string | undefined;
}

interface GuidedClient {
  label: string;
  guide: (target: SignInTarget) => SignInGuide;
}

export const signInClients = {
  claude: { label: 'Claude', guide: claude },
  chatgpt: { label: 'ChatGPT', guide: chatGpt },
  'claude-code': { label: 'Claude Code', guide: claudeCode },
  vscode: { label: 'VS Code', guide: vsCode },
  cursor: { label: 'Cursor', guide: cursor },
} as const satisfies Record<string, GuidedClient>;

export type SignInClientId = keyof typeof signInClients;

/** The guide for a client of the Connect page, if there is one. The guide for Claude includes Claude Desktop. */
export function signInClientFor(client: ClientId): SignInClientId | undefined {
  if (client === 'claude-desktop') return 'claude';
  return isSignInClient(client) ? client : undefined;
}

export function isSignInClient(id: string): id is SignInClientId {
  return Object.hasOwn(signInClients, id);
}

function claude(target: SignInTarget): SignInGuide {
  return {
    steps: [
      { text: 'Open Settings → Connectors → Add custom connector, on claude.ai or in Claude Desktop.' },
      { text: 'Enter a name and the address. Leave the advanced settings empty.' },
      { text: `Choose Connect. ${signInText(target)}` },
    ],
    note: 'In a team, an administrator adds the connector in the settings of the organisation. Each person then connects with their own account.',
    warning: publicAddressWarning('Claude', target.url),
  };
}

function chatGpt(target: SignInTarget): SignInGuide {
  return {
    steps: [
      { text: 'Open Settings → Apps & Connectors → Advanced settings, and switch on Developer mode.' },
      { text: 'Choose Create, enter a name and the address, and select OAuth as the authentication.' },
      { text: `Choose Create. ${signInText(target)}` },
    ],
    warning: publicAddressWarning('ChatGPT', target.url),
  };
}

function claudeCode(target: SignInTarget): SignInGuide {
  const { text, label } = clients['claude-code'].snippet(withoutKey(target));
  return {
    steps: [
      { text: 'Run this in your project folder. Add --scope user to use it in all projects.', code: { label, text } },
      { text: `Start claude, enter /mcp, choose the server and Authenticate. ${signInText(target)}` },
    ],
  };
}

function vsCode(target: SignInTarget): SignInGuide {
  const { text, label, install } = clients.vscode.snippet(withoutKey(target));
  return {
    steps: [
      {
        text: 'Run “MCP: Add Server”, choose HTTP and enter the address. Or add this to .vscode/mcp.json:',
        code: { label, text },
      },
      { text: `Start the server. VS Code asks whether it may sign in: choose Allow. ${signInText(target)}` },
    ],
    install,
  };
}

function cursor(target: SignInTarget): SignInGuide {
  const { text, label, install } = clients.cursor.snippet(withoutKey(target));
  return {
    steps: [
      { text: 'Add this to ~/.cursor/mcp.json, or to .cursor/mcp.json in one project:', code: { label, text } },
      { text: 'Open Settings → MCP, and choose Connect (or Needs login) at the server.' },
      { text: `${signInText(target)} Let the browser open Cursor.` },
    ],
    install,
  };
}

function signInText({ issuerHost }: SignInTarget): string {
  return issuerHost === undefined
    ? 'Sign in at Toolgate, check which access the client asks for, and choose Allow.'
    : `Sign in at ${issuerHost} and allow access.`;
}

function publicAddressWarning(client: string, url: string): string | undefined {
  if (url.startsWith('https://')) return undefined;
  return `${client} connects from the internet and needs https, so it cannot reach this address. Set TOOLGATE_BASE_URL to a public https address.`;
}

function withoutKey({ name, url }: SignInTarget): SnippetTarget {
  return { name, url, key: undefined };
}
