"""Connects fastmcp to a Toolgate server that requires sign-in, calls a tool, and prints the results as one line of JSON.

The environment sets the URL, the mode ("legacy", "auto" or a protocol revision), the key with which the person signs in
(unset for an external issuer), and the URL of the client's metadata document (unset if it registers itself).
"""

import asyncio
import json
import os

from browser_person import callback_parameters
from fastmcp import Client
from fastmcp.client.auth import OAuth
from fastmcp.client.transports import StreamableHttpTransport
from mcp.client.auth import AuthorizationCodeResult


class SignIn(OAuth):
    """Uses the person of `browser_person` instead of opening a browser."""

    async def redirect_handler(self, authorization_url: str) -> None:
        self.received_parameters = await callback_parameters(authorization_url)

    async def callback_handler(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**{name: self.received_parameters[name] for name in ("code", "state", "iss")})


async def main() -> None:
    url = os.environ["TOOLGATE_URL"]
    auth = SignIn(url, client_name="fastmcp", client_metadata_url=os.environ.get("TOOLGATE_CLIENT_DOCUMENT"))
    async with Client(StreamableHttpTransport(url, auth=auth), timeout=20, mode=os.environ["TOOLGATE_MODE"]) as client:
        tools = [tool.name for tool in await client.list_tools()]
        called = await client.call_tool("get_weather", {"city": "Zürich"})
        protocol = client.session.protocol_version
    tokens, program = auth.context.current_tokens, auth.context.client_info
    results = {"protocol": protocol, "tools": tools, "called": called.content[0].text}
    print(json.dumps(results | {"client_id": program.client_id, "refresh_token": bool(tokens.refresh_token)}))


asyncio.run(main())
