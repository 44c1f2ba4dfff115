// Tests a tool with an id of many digits, through the form and as JSON. `input` has the ids of the server and its tool,
// and the id to send.
import { drive, input, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${input.server}/tools/${input.tool}/test`);
  await page.getByLabel("id", { exact: true }).fill(input.id);
  const response = await run(page);
  await page.locator(".segmented-option", { hasText: "JSON" }).click();
  const json = await page.locator(".cm-content").evaluate((editor) => editor.innerText);
  await run(page);
  return { response, json };
});

/** Runs the test and returns the response of the API as the page shows it. */
async function run(page) {
  const response = page.waitForResponse((received) => received.url().includes("/test"));
  await page.getByRole("button", { name: "Run" }).click();
  await response;
  return page.locator(".test-results .json-leaf").first().innerText();
}
