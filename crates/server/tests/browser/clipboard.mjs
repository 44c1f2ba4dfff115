// The clipboard, by the keys and buttons that a person uses.

export const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

/** Into what has the focus. */
export async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("ControlOrMeta+V");
}

/** What the button Copy in `place` leaves in the clipboard. */
export async function copyFrom(place) {
  await place.getByRole("button", { name: "Copy", exact: true }).click();
  await place.getByRole("button", { name: "Copied", exact: true }).waitFor();
  return place.page().evaluate(() => navigator.clipboard.readText());
}
