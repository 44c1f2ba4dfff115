// Endpoint keys with an expiry and a limit, refused requests, and the audit log. `input` has the id of a server.
import { drive, input, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${input.server}/access`);
  await create(page);
  const row = page.getByRole("row").filter({ hasText: "Nightly" });
  const created = await row.innerText();
  await edit(page, row);
  const edited = await page.getByRole("row").filter({ hasText: "Hourly" }).innerText();

  await page.goto(`${origin}/analytics`);
  const refused = await page.getByRole("row").filter({ hasText: "No key" }).innerText();

  await page.goto(`${origin}/audit`);
  const newest = await page.getByRole("row").nth(1).filter({ hasText: "Hourly" }).innerText();
  await page.getByLabel("Type of change").selectOption("Created");
  await page.waitForURL(/action=create/);
  const filtered = await page.getByRole("row").nth(1).filter({ hasText: "Nightly" }).innerText();
  return { created, edited, refused, newest, filtered };
});

async function create(page) {
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Nightly");
  await dialog.getByLabel("Expires").selectOption("In 90 days");
  await dialog.getByLabel("Requests per minute").fill("30");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "Done" }).click();
}

async function edit(page, row) {
  await row.getByRole("button", { name: /^Edit/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Hourly");
  await dialog.getByLabel("Expires").selectOption("Never");
  await dialog.getByLabel("Requests per minute").fill("");
  await dialog.getByRole("button", { name: "Save key" }).click();
  await page.getByRole("row").filter({ hasText: "Hourly" }).waitFor();
}
