// Turns curl commands into tools: fills in a shell variable, makes values fixed, arguments or left out, and tests a
// POST request, for which the console asks first. `input` has the commands: `order`, and `keys` with two API keys.
import { clipboard, paste } from "./clipboard.mjs";
import { drive, input, link, origin, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab(clipboard);
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/quick-add`);
  await page.getByRole("textbox", { name: "curl command" }).click();
  await paste(page, input.order);
  await page.getByRole("heading", { name: "Values" }).waitFor();
  const editor = await leaveEditor(page);
  const variable = await fillVariable(page);
  const descriptions = await chooseModes(page);
  await takePicture(page, "quick-add-values", { fullPage: true });
  const confirmation = await testWithConfirmation(page);
  const keys = await testCommandWithTwoKeys(page);
  return { editor, variable, descriptions, confirmation, keys };
});

/** Leaves the editor with Escape and Tab. CodeMirror itself gives Tab two seconds; the console sets no limit. */
async function leaveEditor(page) {
  const hint = page.locator(".code-editor-keys");
  const isInEditor = () => page.evaluate(() => document.activeElement?.closest(".code-editor") !== null);
  await page.getByRole("textbox", { name: "curl command" }).click();
  const shown = { hint: await hint.isVisible(), text: await hint.innerText(), before: await isInEditor() };
  await takePicture(page, "quick-add-editor");
  await page.keyboard.press("Escape");
  await page.waitForTimeout(2500);
  await page.keyboard.press("Tab");
  await hint.waitFor({ state: "hidden" });
  return { ...shown, after: await isInEditor(), hintAfter: await hint.isVisible() };
}

async function fillVariable(page) {
  const field = page.getByLabel("Value of $API_KEY");
  const test = page.getByRole("button", { name: "Test", exact: true });
  const before = { type: await field.getAttribute("type"), note: await note(page), blocked: await test.isDisabled() };
  await takePicture(page, "quick-add-variable");
  await field.fill("s3cret-of-the-api");
  await page.getByText("Test saves the tool as paused").waitFor();
  return { ...before, warnings: await page.getByText("shell variable").count() };
}

function note(page) {
  return page.locator(".quick-add-note").innerText();
}

async function choose(page, name, mode) {
  await page.getByRole("group", { name }).getByRole("radio", { name: mode }).check();
}

/** Chooses the modes of values. Returns the descriptions of the tool, which name its path, as the path changes. */
async function chooseModes(page) {
  const read = () => page.locator(".quick-add-main textarea").first().inputValue();
  const descriptions = [await read()];
  await choose(page, "user_id: fixed or an argument", "Fixed");
  descriptions.push(await read());
  await choose(page, "orders: fixed or an argument", "Argument");
  descriptions.push(await read());
  await choose(page, "orders: fixed or an argument", "Fixed");
  descriptions.push(await read());
  await choose(page, "count: fixed, an argument or left out", "Fixed");
  await choose(page, "note: fixed, an argument or left out", "Left out");
  await choose(page, "X-Region: fixed, an argument or left out", "Left out");
  await choose(page, "notify: fixed, an argument or left out", "Left out");
  return descriptions;
}

/** Cancels the dialog that asks before a test, then confirms it. Returns its text and what followed both choices. */
async function testWithConfirmation(page) {
  const test = page.getByRole("button", { name: "Test", exact: true });
  const dialog = page.getByRole("dialog");
  await test.click();
  await dialog.waitFor();
  const question = await dialog.innerText();
  await takePicture(page, "quick-add-question");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const cancelled = { tests: await page.locator(".test-results").count() };
  await test.click();
  await dialog.getByRole("button", { name: "Send POST request" }).click();
  await page.locator(".test-results").getByText("Raw response").waitFor();
  return { question, cancelled, result: await page.locator(".test-results").innerText() };
}

/** Starts over with a command that has two API keys, and tests it. Returns the text about its credentials. */
async function testCommandWithTwoKeys(page) {
  await page.getByRole("button", { name: "Start over" }).click();
  await page.getByRole("textbox", { name: "curl command" }).click();
  await paste(page, input.keys);
  await page.getByText("2 API keys").waitFor();
  const text = await page.locator(".quick-add-secret").innerText();
  await takePicture(page, "quick-add-keys");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.locator(".test-results").getByText("Raw response").waitFor();
  return text;
}
