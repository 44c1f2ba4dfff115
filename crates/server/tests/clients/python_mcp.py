"""Runs the Python SDK (mcp) against one Toolgate server and prints the results as one line of JSON.

The environment sets the URL, the key and the mode ("legacy", "auto" or a protocol revision).
"""

import asyncio
import json
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    headers = {"Authorization": "Bearer " + os.environ["TOOLGATE_KEY"]}
    async with httpx2.AsyncClient(headers=headers, timeout=20) as http:
        transport = streamable_http_client(os.environ["TOOLGATE_URL"], http_client=http)
        async with Client(transport, mode=os.environ["TOOLGATE_MODE"]) as client:
            print(json.dumps(await run_requests(client)))


async def run_requests(client: Client) -> dict:
    tools = (await client.list_tools()).tools
    called = await client.call_tool("get_weather", {"city": "Zürich"})
    refused = await client.call_tool("get_weather", {})
    prompts = (await client.list_prompts()).prompts
    prompt = await client.get_prompt("describe_city", {"city": "Lima"})
    resources = (await client.list_resources()).resources
    templates = (await client.list_resource_templates()).resource_templates
    resource = await client.read_resource("docs://umbrella")
    from_template = await client.read_resource("docs://city/Oslo")
    # With a fixed revision the client does not request server information.
    server = client.server_info
    return {
        "protocol": client.protocol_version,
        "server": server and server.name,
        "tools": [tool.name for tool in tools],
        "called": called.content[0].text,
        "refused": refused.is_error,
        "prompts": [prompt.name for prompt in prompts],
        "prompt": prompt.messages[0].content.text,
        "resources": [str(resource.uri) for resource in resources],
        "templates": [template.uri_template for template in templates],
        "resource": resource.contents[0].text,
        "from_template": from_template.contents[0].text,
    }


asyncio.run(main())
