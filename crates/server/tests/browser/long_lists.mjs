// A server with many tools and a log with many calls: the page contains only the visible rows. `input` has the id of
// the server and the number of further pages of the log to load.
import { drive, input, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  return { tools: await scrollTools(page), moved: await moveToEnd(page), log: await scrollLog(page) };
});

async function scrollTools(page) {
  await page.goto(`${origin}/servers/${input.server}/tools`);
  const list = page.getByRole("region", { name: "Tools" });
  const rows = [];
  for (const part of [0, 0.25, 0.5, 0.75, 1]) rows.push(await scrollTo(list, ".tools-name", part));
  return rows;
}

/** Moves the first tool to the end of the list with one key press. */
async function moveToEnd(page) {
  const list = page.getByRole("region", { name: "Tools" });
  await scrollTo(list, ".tools-name", 0);
  const name = await list.locator(".tools-name").first().innerText();
  await list.getByRole("button", { name: `Move ${name},` }).focus();
  const response = page.waitForResponse((received) => received.url().includes("/tools/reorder"));
  await page.keyboard.press("End");
  const status = (await response).status();
  await page.reload();
  const { last } = await scrollTo(list, ".tools-name", 1);
  return { status, name, last };
}

async function scrollLog(page) {
  await page.goto(`${origin}/calls`);
  const list = page.getByRole("region", { name: "Calls" });
  const cursors = new Set();
  page.on("request", (request) => {
    const before = new URL(request.url()).searchParams.get("before");
    if (before !== null) cursors.add(before);
  });
  const rows = [];
  let foot = await nextFoot(page, "");
  while (cursors.size < input.pages) {
    rows.push((await scrollTo(list, "a.calls-row", 1)).count);
    foot = await nextFoot(page, foot);
  }
  return { most: Math.max(...rows), cursors: cursors.size, foot };
}

/** Waits until the footer of the log shows another text, and no page is being loaded. Returns the text. */
async function nextFoot(page, previous) {
  const found = await page.waitForFunction((previous) => {
    const text = document.querySelector(".calls-foot")?.innerText ?? previous;
    return text !== previous && !text.includes("loading") && text;
  }, previous);
  return found.jsonValue();
}

/** Scrolls to a part of the list. Returns the number of rows in the page and the text of the last one. */
async function scrollTo(list, row, part) {
  await list.locator(row).first().waitFor();
  await list.evaluate(async (element, part) => {
    element.scrollTop = part * (element.scrollHeight - element.clientHeight);
    // The virtual list needs a few frames to render the new rows.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  }, part);
  const rows = list.locator(row);
  return { count: await rows.count(), last: await rows.last().innerText() };
}
