"""Connects the Python SDK (mcp) to a Toolgate server that requires sign-in, calls a tool, and prints the results as one
line of JSON.

The environment sets the URL, the key with which the person signs in, and the mode ("legacy", "auto" or a protocol
revision).
"""

import asyncio
import json
import os
from urllib.parse import parse_qs, urlsplit

import httpx2
from browser_person import allow
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

CALLBACK = "http://localhost:3030/callback"


class MemoryStorage:
    """What a program stores between its runs."""

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
    answers = []

    async def open_browser(authorization_url: str) -> None:
        answers.append(await allow(authorization_url, os.environ["TOOLGATE_KEY"]))

    async def wait_for_callback() -> AuthorizationCodeResult:
        answer = parse_qs(urlsplit(answers.pop()).query)
        return AuthorizationCodeResult(code=answer["code"][0], state=answer["state"][0], iss=answer["iss"][0])

    metadata = OAuthClientMetadata(client_name="Python client", redirect_uris=[CALLBACK])
    return OAuthClientProvider(url, metadata, storage, open_browser, wait_for_callback)


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
