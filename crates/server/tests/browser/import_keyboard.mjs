// An import with the keyboard alone: command palette, choice of the server, pasted document, selection with arrow keys and
// space, an edit, and the commit. `input` has the text of the document.
import { clipboard, paste } from "./clipboard.mjs";
import { drive, input, link } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab(clipboard);
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("import an api");
  await page.getByRole("option", { name: /Import an API/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Import an API" }).waitFor();
  await page.getByLabel("Import into").waitFor();
  await tabTo(page, "Import into");
  await tabTo(page, "Continue");
  await page.keyboard.press("Enter");
  await page.getByLabel("Link or document").waitFor();
  await tabTo(page, "Link or document");
  await paste(page, input.document);
  await page.getByText("6 of 7 selected").waitFor();
  await select(page);
  await rename(page);
  await tabTo(page, "Import 2 tools");
  await page.keyboard.press("Enter");
  await page.getByText("2 tools created").waitFor();
  return {};
});

/** Deselects all operations, and selects the first and the last but one with the arrow keys. */
async function select(page) {
  await tabTo(page, "Select all 7 shown operations");
  await page.keyboard.press("Space");
  await page.keyboard.press("Space");
  await page.getByText("0 of 7 selected").waitFor();
  await tabTo(page, "Select get_item0001, GET /items/0001");
  await page.keyboard.press("Space");
  await page.keyboard.press("End");
  await waitForFocus(page, "Select delete_items, DELETE /items");
  await page.keyboard.press("ArrowUp");
  await waitForFocus(page, "Select create_item, POST /items");
  await page.keyboard.press("Space");
  await page.getByText("2 of 7 selected").waitFor();
}

/** Enter opens the tool, and applies its new name; the focus returns to the row. */
async function rename(page) {
  await page.keyboard.press("Home");
  await waitForFocus(page, "Select get_item0001, GET /items/0001");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo(page, "Name");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("renamed_by_key");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await waitForFocus(page, "Select renamed_by_key, GET /items/0001");
}

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page, name) {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focusedName(page)) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${name}`);
}

async function waitForFocus(page, name) {
  for (let attempts = 0; attempts < 50; attempts += 1) {
    if ((await focusedName(page)) === name) return;
    await page.waitForTimeout(20);
  }
  throw new Error(`${name} does not have the focus, but ${await focusedName(page)}`);
}

function focusedName(page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText?.trim() ?? "";
  });
}
