// API keys: created, shown once, used, revoked.
import { clipboard, copyFrom } from "./clipboard.mjs";
import { drive, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab(clipboard);
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/keys`);
  const key = await create(page);
  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: "Nightly export" });
  await row.waitFor();
  await page.reload();
  await row.waitFor();
  const shownAgain = (await page.content()).includes(key);
  const whileItWorks = await tryKey(openTab, key);

  await row.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await row.waitFor({ state: "detached" });
  return { key, shownAgain, whileItWorks, revoked: await tryKey(openTab, key) };
});

async function create(page) {
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Nightly export");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByText("You will not see it again").waitFor();
  return copyFrom(dialog);
}

/** Signs in with the key in a separate browser context. */
async function tryKey(openTab, key) {
  const page = await openTab();
  await page.goto(origin);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  const text = await page.locator(".shell-nav, .field-error").first().innerText();
  await page.context().close();
  return text;
}
