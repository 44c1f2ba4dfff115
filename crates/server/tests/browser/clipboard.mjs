// Uses the clipboard with the keys and buttons of the page.

export const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

/** Pastes `text` into the focused element. */
export async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("ControlOrMeta+V");
}

/** Clicks the button Copy in `container` and returns the text of the clipboard. */
export async function copyFrom(container) {
  await container.getByRole("button", { name: "Copy", exact: true }).click();
  await container.getByRole("button", { name: "Copied", exact: true }).waitFor();
  return container.page().evaluate(() => navigator.clipboard.readText());
}
