// A test with an id of many digits, by the form and as JSON. `given` has the ids of a server and its tool, and the id.
import { drive, given, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${given.server}/tools/${given.tool}/test`);
  await page.getByLabel("id", { exact: true }).fill(given.id);
  const answer = await run(page);
  await page.locator(".segmented-option", { hasText: "JSON" }).click();
  const json = await page.locator(".cm-content").evaluate((editor) => editor.innerText);
  await run(page);
  return { answer, json };
});

/** What the API answered, as the page shows it. */
async function run(page) {
  const answered = page.waitForResponse((response) => response.url().includes("/test"));
  await page.getByRole("button", { name: "Run" }).click();
  await answered;
  return page.locator(".test-results .json-leaf").first().innerText();
}
