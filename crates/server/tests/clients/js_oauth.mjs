// Connects a JavaScript client to a Toolgate server that requires sign-in, calls a tool, and prints the results as one
// line of JSON. The environment sets the URL, the package ("sdk" or "client"), for "client" the mode ("legacy", "auto"
// or a protocol revision), the key with which the person signs in (unset for an external issuer), and the URL of the
// client's metadata document (unset if it registers itself).

const { TOOLGATE_URL, TOOLGATE_KEY, TOOLGATE_PACKAGE, TOOLGATE_MODE, TOOLGATE_CLIENT_DOCUMENT } = process.env;
const CALLBACK = "http://localhost:3030/callback";

// The hidden fields and ticked boxes of the form that is sent to this path.
function formFields(page, action) {
  const form = page.split("<form ").find((part) => part.includes(`action="${action}"`)).split("</form>")[0];
  const fields = new URLSearchParams();
  for (const [, input] of form.matchAll(/<input ([^>]*)>/g)) {
    if (input.includes('type="hidden"') || input.includes(" checked")) {
      const attribute = (name) => input.match(new RegExp(`${name}="([^"]*)"`))[1];
      const text = attribute("value").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
      fields.append(attribute("name"), text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"));
    }
  }
  return fields;
}

// The person: opens the authorization URL, signs in with the key and allows access. Returns the redirect to the client.
async function allow(url) {
  const headers = { Origin: new URL(url).origin };
  const send = async (path, body) => {
    const reply = await fetch(new URL(path, url), { method: "POST", headers, body, redirect: "manual" });
    if (reply.status !== 303) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return reply;
  };
  const signIn = formFields(await (await fetch(url)).text(), "/signin");
  signIn.append("key", TOOLGATE_KEY);
  headers.Cookie = (await send("/signin", signIn)).headers.get("set-cookie").split(";")[0];
  const decision = formFields(await (await fetch(url, { headers })).text(), "/authorize");
  decision.append("decision", "allow");
  return new URL((await send("/authorize", decision)).headers.get("location"));
}

// A person at an external issuer, which asks nothing: follows its redirects, and returns the redirect to the client.
async function followRedirects(url) {
  const cookies = new Map();
  const { origin } = url;
  for (let next = url; ; ) {
    if (next.origin !== origin) return next;
    const headers = { Cookie: [...cookies].map((cookie) => cookie.join("=")).join("; ") };
    const reply = await fetch(next, { headers, redirect: "manual" });
    const location = reply.headers.get("location");
    if (!location) throw new Error(`${next}: ${reply.status} ${await reply.text()}`);
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name, value] = cookie.match(/^([^=]*)=([^;]*)/);
      cookies.set(name, value);
    }
    next = new URL(location, next);
  }
}

const stored = {};
let callbackUrl;
const authProvider = {
  redirectUrl: CALLBACK,
  clientMetadata: { client_name: "JavaScript client", redirect_uris: [CALLBACK] },
  clientMetadataUrl: TOOLGATE_CLIENT_DOCUMENT,
  clientInformation: () => stored.client,
  saveClientInformation: (client) => { stored.client = client; },
  tokens: () => stored.tokens,
  saveTokens: (tokens) => { stored.tokens = tokens; },
  saveCodeVerifier: (verifier) => { stored.verifier = verifier; },
  codeVerifier: () => stored.verifier,
  saveDiscoveryState: (state) => { stored.discovery = state; },
  discoveryState: () => stored.discovery,
  redirectToAuthorization: async (url) => { callbackUrl = await (TOOLGATE_KEY ? allow(url) : followRedirects(url)); },
};

const isSdk = TOOLGATE_PACKAGE === "sdk";
const { Client } = await import(isSdk ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
const { StreamableHTTPClientTransport } =
  await import(isSdk ? "@modelcontextprotocol/sdk/client/streamableHttp.js" : "@modelcontextprotocol/client");
const mode = ["legacy", "auto"].includes(TOOLGATE_MODE) ? TOOLGATE_MODE : { pin: TOOLGATE_MODE };
const newTransport = () => new StreamableHTTPClientTransport(new URL(TOOLGATE_URL), { authProvider });
const newClient = () =>
  new Client({ name: "toolgate-test-oauth", version: "1.0.0" }, isSdk ? {} : { versionNegotiation: { mode } });

// The first attempt ends with the sign-in of the person; the second one uses the tokens.
const refused = newTransport();
const error = await newClient().connect(refused).then(() => undefined, (error) => error);
if (!callbackUrl) throw error ?? new Error("the client connected without sign-in");
await refused.finishAuth(isSdk ? callbackUrl.searchParams.get("code") : callbackUrl.searchParams);
const transport = newTransport();
const client = newClient();
await client.connect(transport);
const { tools } = await client.listTools();
const called = await client.callTool({ name: "get_weather", arguments: { city: "Zürich" } });
const protocol = isSdk ? transport.protocolVersion : client.getNegotiatedProtocolVersion();
await client.close();

console.log(JSON.stringify({
  protocol,
  tools: tools.map((tool) => tool.name),
  called: called.content[0].text,
  client_id: stored.client.client_id,
  refresh_token: Boolean(stored.tokens.refresh_token),
}));
