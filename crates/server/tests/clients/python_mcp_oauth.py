"""Connects the Python SDK (mcp) to a Toolgate server that requires sign-in, calls a tool, and prints the results as one
line of JSON.

The environment sets the URL, the mode ("legacy", "auto" or a protocol revision), the key with which the person signs in
(unset for an external issuer), and the URL of the client's metadata document (unset if it registers itself).
"""

import asyncio
import json
import os

import httpx2
from browser_person import callback_parameters
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

CALLBACK = "http://localhost:3030/callback"


class MemoryStorage:
    """Tokens and client registration, which a real program stores between its runs."""

    def __init__(self) -> None:
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens) -> None:
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info) -> None:
        self.client = client_info


def sign_in(url: str, storage: MemoryStorage) -> OAuthClientProvider:
    callbacks = []

    async def open_browser(authorization_url: str) -> None:
        callbacks.append(await callback_parameters(authorization_url))

    async def wait_for_callback() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**{name: callbacks[-1][name] for name in ("code", "state", "iss")})

    metadata = OAuthClientMetadata(client_name="Python client", redirect_uris=[CALLBACK])
    document = os.environ.get("TOOLGATE_CLIENT_DOCUMENT")
    return OAuthClientProvider(
        url, metadata, storage, open_browser, wait_for_callback, client_metadata_url=document
    )


async def main() -> None:
    url, storage = os.environ["TOOLGATE_URL"], MemoryStorage()
    async with httpx2.AsyncClient(auth=sign_in(url, storage), timeout=20) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=os.environ["TOOLGATE_MODE"]) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            called = await client.call_tool("get_weather", {"city": "Zürich"})
            results = {"protocol": client.protocol_version, "tools": tools, "called": called.content[0].text}
    results["client_id"] = storage.client.client_id
    results["refresh_token"] = bool(storage.tokens.refresh_token)
    print(json.dumps(results))


asyncio.run(main())
