// Configures the JavaScript SDK (@modelcontextprotocol/sdk) from a copied mcp.json alone, calls one tool and prints the
// text of its result.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { SNIPPET, TOOL, ARGUMENTS } = process.env;
const [{ url, headers }] = Object.values(JSON.parse(SNIPPET).mcpServers);
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
const client = new Client({ name: "cursor-vscode", version: "1.0.0" });
await client.connect(transport);

const { tools } = await client.listTools();
if (!tools.some((tool) => tool.name === TOOL)) throw new Error(`${TOOL} is not listed: ${JSON.stringify(tools)}`);
const { content } = await client.callTool({ name: TOOL, arguments: JSON.parse(ARGUMENTS) });
await transport.terminateSession();
await client.close();
console.log(content[0].text);
