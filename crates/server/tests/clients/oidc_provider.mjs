// A third-party issuer on loopback, the npm package oidc-provider. Clients register themselves and get JWT access
// tokens for the endpoint that they name as a resource indicator. One person signs in and allows everything without
// being asked, so that a browser only has to follow redirects. Prints the URL of the issuer.
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

const SCOPES = ["weather:read", "weather:write"];

async function newKey() {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: "key-1", use: "sig", alg: "RS256" };
}

const configuration = {
  jwks: { keys: [await newKey()] },
  cookies: { keys: ["a key of a test"] },
  scopes: ["openid", "offline_access", ...SCOPES],
  pkce: { required: () => true },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: () => ({ name: "Ada Lovelace", groups: ["weather"] }),
  issueRefreshToken: () => true,
  ttl: { AccessToken: 3600, Grant: 3600, Interaction: 3600, RefreshToken: 3600, Session: 3600, IdToken: 3600 },
  interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => ({
        audience: resource,
        scope: SCOPES.join(" "),
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "RS256" } },
      }),
    },
  },
};

// Acts as the person: signs in, then grants the missing scopes.
async function decide(provider, request, response) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: "ada" } });
  }
  const { missingOIDCScope = [], missingResourceScopes = {} } = prompt.details;
  const known = grantId && (await provider.Grant.find(grantId));
  const grant = known || new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope(missingOIDCScope.join(" "));
  for (const [resource, scopes] of Object.entries(missingResourceScopes)) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, configuration);
  provider.on("server_error", (_ctx, error) => console.error(error));
  const handleRequest = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url.startsWith("/interaction/")) return handleRequest(request, response);
    return decide(provider, request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
  console.log(issuer);
});
