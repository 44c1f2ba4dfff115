// Reorders tools with the mouse and the keyboard, and pauses one. `input` has the id of a server with three tools.
import { drive, input, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${input.server}/tools`);
  const seen = [await names(page)];

  await dragBelow(page, "first", "third");
  seen.push(await names(page));

  const handle = page.getByRole("button", { name: /^Move first,/ });
  await handle.focus();
  await actAndSave(page, "/tools/reorder", () => page.keyboard.press("ArrowUp"));
  const announcement = await page.getByRole("status").filter({ hasText: "moved to position" }).innerText();
  const focused = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  seen.push(await names(page));

  await actAndSave(page, "/tools/", () => page.getByRole("switch", { name: "second is active" }).click());
  await page.reload();
  await page.getByRole("switch", { name: "second is active", checked: false }).waitFor();
  seen.push(await names(page));
  return { seen, announcement, focused };
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
  await actAndSave(page, "/tools/reorder", drag);
}

/** Performs an action and waits for the response to its request. */
async function actAndSave(page, path, act) {
  const isChange = (response) => response.url().includes(path) && response.request().method() !== "GET";
  const response = page.waitForResponse(isChange);
  await act();
  await response;
}
