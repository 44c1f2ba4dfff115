"""Imports the generated client completely, lists the tools of a server with it and prints their names."""

import importlib
import pkgutil
import sys

import toolgate_client
from toolgate_client import AuthenticatedClient
from toolgate_client.api.servers import list_tools
from toolgate_client.models import Tool

for module in pkgutil.walk_packages(toolgate_client.__path__, "toolgate_client."):
    importlib.import_module(module.name)

api_base, key, server_id = sys.argv[1:]
with AuthenticatedClient(base_url=api_base, token=key, raise_on_unexpected_status=True) as client:
    for tool in list_tools.sync(int(server_id), client=client):
        assert isinstance(tool, Tool), tool
        print(tool.name)
