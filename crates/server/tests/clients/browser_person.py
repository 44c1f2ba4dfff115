"""A person with a browser, for clients that sign in with OAuth: opens the authorization URL, signs in with a key and
allows access. Returns the URL to which the browser is sent, without opening it."""

import re
from html import unescape
from urllib.parse import urlencode, urlsplit

import httpx2

INPUT = re.compile(r"<input ([^>]*)>")


def form_fields(page: str, action: str) -> list[tuple[str, str]]:
    """The hidden fields and ticked boxes of the form that is sent to this path."""
    form = next(part for part in page.split("<form ") if f'action="{action}"' in part).split("</form>")[0]
    fields = []
    for attributes in INPUT.findall(form):
        if 'type="hidden"' in attributes or " checked" in attributes:
            name, value = (re.search(f'{key}="([^"]*)"', attributes) for key in ("name", "value"))
            fields.append((name[1], unescape(value[1])))
    return fields


async def allow(url: str, key: str) -> str:
    """Follows an authorization URL to the decision, and returns the redirect to the client."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
    headers = {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
    async with httpx2.AsyncClient(timeout=20) as browser:
        page = (await browser.get(url)).raise_for_status().text
        sign_in = form_fields(page, "/signin") + [("key", key)]
        reply = await browser.post(origin + "/signin", content=urlencode(sign_in), headers=headers)
        assert reply.status_code == 303, reply.text
        page = (await browser.get(url)).raise_for_status().text
        decision = form_fields(page, "/authorize") + [("decision", "allow")]
        reply = await browser.post(origin + "/authorize", content=urlencode(decision), headers=headers)
        assert reply.status_code == 303, reply.text
        return reply.headers["location"]
