"""fastmcp against one Toolgate server; prints what it saw as one line of JSON.

Takes the address, the key and the mode ("legacy", "auto" or a revision) from the environment.
"""

import asyncio
import json
import os

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport


async def main() -> None:
    headers = {"X-API-Key": os.environ["TOOLGATE_KEY"]}
    transport = StreamableHttpTransport(os.environ["TOOLGATE_URL"], headers=headers)
    async with Client(transport, timeout=20, mode=os.environ["TOOLGATE_MODE"]) as client:
        print(json.dumps(await look_around(client)))


async def look_around(client: Client) -> dict:
    # Before the call: what is repeated in headers is known from the list only.
    tools = await client.list_tools()
    called = await client.call_tool("get_weather", {"city": "Zürich"})
    refused = await client.call_tool("get_weather", {}, raise_on_error=False)
    prompt = await client.get_prompt("describe_city", {"city": "Lima"})
    resource = await client.read_resource("docs://umbrella")
    from_template = await client.read_resource("docs://city/Oslo")
    # Told a revision, the client asks for no introduction.
    server = client.session.server_info
    return {
        "protocol": client.session.protocol_version,
        "server": server and server.name,
        "tools": [tool.name for tool in tools],
        "called": called.content[0].text,
        "refused": refused.is_error,
        "prompts": [prompt.name for prompt in await client.list_prompts()],
        "prompt": prompt.messages[0].content.text,
        "resources": [str(resource.uri) for resource in await client.list_resources()],
        "templates": [template.uri_template for template in await client.list_resource_templates()],
        "resource": resource[0].text,
        "from_template": from_template[0].text,
    }


asyncio.run(main())
