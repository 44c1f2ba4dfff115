// Signs in with a wrong key, an expired one and a valid one, opens a link in a new tab, and checks that signing out
// removes the key from all tabs. `input` has an expired key and another valid one.
import { drive, input, key, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(`${origin}/calls`);
  await page.getByLabel("API key").fill("tg_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  const wrong = await page.locator(".field-error").innerText();
  const typed = await page.getByLabel("API key").inputValue();

  await page.getByLabel("API key").fill(input.expired);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".field-error").filter({ hasNotText: wrong }).waitFor();
  const expired = await page.locator(".field-error").innerText();

  await page.getByLabel("API key").fill(key);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Calls", exact: true }).waitFor();
  const during = await readStorage(page);

  const tabs = await useSeveralTabs(page);

  await page.getByRole("button", { name: "Sign out" }).click();
  for (const tab of [page, tabs.opened]) await tab.getByRole("heading", { name: "Sign in to Toolgate" }).waitFor();
  const after = await readStorage(page);
  const afterInOther = await readStorage(tabs.opened);
  await page.goto(`${origin}/keys`);
  await page.getByRole("heading", { name: "Sign in to Toolgate" }).waitFor();

  await page.goto(link.replace(key, "tg_not_this_one"));
  const badLink = await page.locator(".field-error").innerText();
  const address = page.url();
  await page.goto(link.replace(key, input.expired));
  const expiredLink = await page.locator(".field-error").filter({ hasNotText: badLink }).innerText();
  return { wrong, typed, expired, during, key: tabs.key, after, afterInOther, badLink, expiredLink, address };
});

/** Opens a link in a new tab while another tab has another key: the new tab gets the key of the tab with the link. */
async function useSeveralTabs(page) {
  const context = page.context();
  const other = await context.newPage();
  await other.goto(link.replace(key, input.other));
  await other.locator(".shell").waitFor();
  await page.bringToFront();
  const opening = context.waitForEvent("page");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Servers" }).click({ modifiers: ["Control"] });
  const opened = await opening;
  await opened.getByRole("heading", { name: "Servers", exact: true }).waitFor();
  return { opened, key: await opened.evaluate(() => sessionStorage.getItem("toolgate-key")) };
}

/** Everything that the browser stores for the page. */
async function readStorage(page) {
  const stores = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]));
  return { stores, cookies: (await page.context().cookies()).length };
}
