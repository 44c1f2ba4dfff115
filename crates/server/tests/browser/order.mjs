// The list of tools: moved with the mouse, moved with the keys, paused. `given` has the id of a server with three tools.
import { drive, given, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${given.server}/tools`);
  const seen = [await names(page)];

  await dragBelow(page, "first", "third");
  seen.push(await names(page));

  const handle = page.getByRole("button", { name: /^Move first,/ });
  await handle.focus();
  await saved(page, "/tools/reorder", () => page.keyboard.press("ArrowUp"));
  const told = await page.getByRole("status").filter({ hasText: "moved to position" }).innerText();
  const focused = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  seen.push(await names(page));

  await saved(page, "/tools/", () => page.getByRole("switch", { name: "second is active" }).click());
  await page.reload();
  await page.getByRole("switch", { name: "second is active", checked: false }).waitFor();
  seen.push(await names(page));
  return { seen, told, focused };
});

async function names(page) {
  await page.locator(".tools-name").nth(2).waitFor();
  return page.locator(".tools-name").allInnerTexts();
}

async function dragBelow(page, name, other) {
  const row = (tool) => page.locator(".tools-row").filter({ has: page.getByRole("link", { name: tool, exact: true }) });
  const { height } = await row(other).boundingBox();
  const drag = () =>
    row(name).locator(".tools-handle").dragTo(row(other), { targetPosition: { x: 200, y: height - 4 } });
  await saved(page, "/tools/reorder", drag);
}

/** Until the service has taken what was done. */
async function saved(page, path, act) {
  const answered = page.waitForResponse((response) => response.url().includes(path) && response.request().method() !== "GET");
  await act();
  await answered;
}
