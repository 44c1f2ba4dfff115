"""Runs fastmcp against one Toolgate server and prints the results as one line of JSON.

The environment sets the URL, the key and the mode ("legacy", "auto" or a protocol revision).
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
        print(json.dumps(await run_requests(client)))


async def run_requests(client: Client) -> dict:
    # Before the call, because the client reads from the list which arguments to repeat in headers.
    tools = await client.list_tools()
    called = await client.call_tool("get_weather", {"city": "Zürich"})
    refused = await client.call_tool("get_weather", {}, raise_on_error=False)
    prompt = await client.get_prompt("describe_city", {"city": "Lima"})
    resource = await client.read_resource("docs://umbrella")
    from_template = await client.read_resource("docs://city/Oslo")
    # With a fixed revision the client does not request server information.
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
