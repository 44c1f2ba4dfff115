// A server with very many tools, and a log with very many calls: only what is in sight is in the page. `given` has the
// id of the server, and how many pages of the log to read on.
import { drive, given, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  return { tools: await scrollTools(page), moved: await moveToEnd(page), log: await scrollLog(page) };
});

async function scrollTools(page) {
  await page.goto(`${origin}/servers/${given.server}/tools`);
  const list = page.getByRole("region", { name: "Tools" });
  const rows = [];
  for (const part of [0, 0.25, 0.5, 0.75, 1]) rows.push(await scrollTo(list, ".tools-name", part));
  return rows;
}

/** The first tool, with one key, to the end of the list. */
async function moveToEnd(page) {
  const list = page.getByRole("region", { name: "Tools" });
  await scrollTo(list, ".tools-name", 0);
  const name = await list.locator(".tools-name").first().innerText();
  await list.getByRole("button", { name: `Move ${name},` }).focus();
  const answered = page.waitForResponse((response) => response.url().includes("/tools/reorder"));
  await page.keyboard.press("End");
  const { status } = { status: (await answered).status() };
  await page.reload();
  const { last } = await scrollTo(list, ".tools-name", 1);
  return { status, name, last };
}

async function scrollLog(page) {
  await page.goto(`${origin}/calls`);
  const list = page.getByRole("region", { name: "Calls" });
  const foot = page.locator(".calls-foot");
  const cursors = new Set();
  page.on("request", (request) => {
    const before = new URL(request.url()).searchParams.get("before");
    if (before !== null) cursors.add(before);
  });
  const rows = [];
  while (cursors.size < given.pages) {
    const shown = await foot.innerText();
    rows.push((await scrollTo(list, "a.calls-row", 1)).count);
    await page.waitForFunction((shown) => document.querySelector(".calls-foot").innerText !== shown, shown);
  }
  return { most: Math.max(...rows), cursors: cursors.size, foot: await foot.innerText() };
}

/** How many rows are in the page there, and which is the last. */
async function scrollTo(list, row, part) {
  await list.locator(row).first().waitFor();
  await list.evaluate(async (element, part) => {
    element.scrollTop = part * (element.scrollHeight - element.clientHeight);
    // Scrolled, then drawn.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  }, part);
  const rows = list.locator(row);
  return { count: await rows.count(), last: await rows.last().innerText() };
}
