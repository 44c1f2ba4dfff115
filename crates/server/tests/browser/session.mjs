// Signs in with a wrong key and a valid one, and checks that signing out removes the key from the browser.
import { drive, key, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(`${origin}/calls`);
  await page.getByLabel("API key").fill("tg_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  const wrong = await page.locator(".field-error").innerText();
  const typed = await page.getByLabel("API key").inputValue();

  await page.getByLabel("API key").fill(key);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Calls", exact: true }).waitFor();
  const during = await readStorage(page);

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Toolgate" }).waitFor();
  const after = await readStorage(page);
  await page.goto(`${origin}/keys`);
  await page.getByRole("heading", { name: "Sign in to Toolgate" }).waitFor();

  await page.goto(link.replace(key, "tg_not_this_one"));
  const badLink = await page.locator(".field-error").innerText();
  return { wrong, typed, during, after, badLink, address: page.url() };
});

/** Everything that the browser stores for the page. */
async function readStorage(page) {
  const stores = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]));
  return { stores, cookies: (await page.context().cookies()).length };
}
