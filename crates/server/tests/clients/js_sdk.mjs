// Runs the JavaScript SDK (@modelcontextprotocol/sdk) against one Toolgate server and prints the results as one line of
// JSON. The environment sets the URL and the key. The SDK supports only protocol revisions with a handshake.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { TOOLGATE_URL, TOOLGATE_KEY } = process.env;
const transport = new StreamableHTTPClientTransport(new URL(TOOLGATE_URL), {
  requestInit: { headers: { Authorization: `Bearer ${TOOLGATE_KEY}` } },
});
const client = new Client({ name: "toolgate-test-sdk", version: "1.0.0" });
await client.connect(transport);

const { tools } = await client.listTools();
const called = await client.callTool({ name: "get_weather", arguments: { city: "Zürich" } });
const refused = await client.callTool({ name: "get_weather", arguments: {} });
const { prompts } = await client.listPrompts();
const prompt = await client.getPrompt({ name: "describe_city", arguments: { city: "Lima" } });
const { resources } = await client.listResources();
const { resourceTemplates } = await client.listResourceTemplates();
const resource = await client.readResource({ uri: "docs://umbrella" });
const fromTemplate = await client.readResource({ uri: "docs://city/Oslo" });
await client.ping();
const protocol = transport.protocolVersion;
const server = client.getServerVersion().name;
await transport.terminateSession();
await client.close();

console.log(JSON.stringify({
  protocol,
  server,
  tools: tools.map((tool) => tool.name),
  called: called.content[0].text,
  refused: refused.isError,
  prompts: prompts.map((prompt) => prompt.name),
  prompt: prompt.messages[0].content.text,
  resources: resources.map((resource) => resource.uri),
  templates: resourceTemplates.map((template) => template.uriTemplate),
  resource: resource.contents[0].text,
  from_template: fromTemplate.contents[0].text,
}));
