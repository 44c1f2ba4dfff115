// A document with a thousand operations: the page contains only the visible rows. `input` has the id of the server.
import { drive, input, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${input.server}/import`);
  const buffer = Buffer.from(JSON.stringify(createDocument()));
  await page.locator("input[type=file]").setInputFiles({ name: "many.json", mimeType: "application/json", buffer });
  await page.getByText("999 of 1,000 selected").waitFor();
  const views = [await count(page)];
  for (const part of [0.5, 1]) {
    await scrollTo(page, part);
    views.push(await count(page));
  }
  await scrollTo(page, 0);
  await page.locator(".import-row .toggle-checkbox").nth(1).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp"); // before the last row is rendered
  await page.waitForFunction(() => document.activeElement.ariaLabel?.startsWith("Select get_item0998"));
  const last = await page.evaluate(() => document.activeElement.closest(".import-row").querySelector(".import-name").innerText);
  const warning = await page.locator(".import-warnings .callout-title").innerText();
  await page.getByLabel("Tag").selectOption("group 1");
  await page.getByText("333 of 1,000 shown").waitFor();
  views.push(await count(page));
  await page.getByRole("checkbox", { name: /^Select all/ }).click();
  const sums = page.getByText("666 of 1,000 selected");
  await sums.waitFor();
  return { views, last, warning };
});

/** 999 operations in three groups, and a deprecated one. */
function createDocument() {
  const paths = { "/old": { get: { operationId: "old", deprecated: true, responses: {} } } };
  for (let number = 1; number < 1000; number += 1) {
    const name = String(number).padStart(4, "0");
    paths[`/items/${name}`] = { get: { operationId: `getItem${name}`, summary: "Gets an item. ".repeat(5), tags: [`group ${number % 3}`], responses: {} } };
  }
  return { openapi: "3.1.0", info: { title: "Many", version: "1" }, servers: [{ url: "https://api.example.com" }], paths };
}

async function count(page) {
  await page.locator(".import-row").first().waitFor();
  return { rows: await page.locator(".import-row").count(), nodes: await page.evaluate(() => document.querySelectorAll("*").length) };
}

async function scrollTo(page, part) {
  await page.getByRole("region", { name: "Operations" }).evaluate(async (element, part) => {
    element.scrollTop = part * (element.scrollHeight - element.clientHeight);
    // The virtual list needs a few frames to render the new rows.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  }, part);
}
