"""A person with a browser, for clients that sign in with OAuth: opens the authorization URL, signs in and allows access.
The browser does not open the callback of the client, to which it is redirected at the end."""

import os
import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

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


async def callback_parameters(url: str) -> dict[str, str]:
    """Opens an authorization URL, and returns the parameters with which the client is called back. With a key in the
    environment, the person uses Toolgate's pages; otherwise those of an external issuer, which asks nothing."""
    key = os.environ.get("TOOLGATE_KEY")
    redirect = await (allow(url, key) if key else follow_redirects(url))
    return {name: values[0] for name, values in parse_qs(urlsplit(redirect).query).items()}


async def follow_redirects(url: str) -> str:
    """Follows redirects at the issuer, and returns the redirect to the client."""
    issuer = urlsplit(url).netloc
    async with httpx2.AsyncClient(timeout=20) as browser:
        while urlsplit(url).netloc == issuer:
            reply = await browser.get(url)
            assert reply.is_redirect, reply.text
            url = urljoin(url, reply.headers["location"])
    return url


async def allow(url: str, key: str) -> str:
    """Signs in with the key, allows access, and returns the redirect to the client."""
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
