// Who made a call, in the call log: shown in each row and in the details, and as a filter.
import { drive, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/calls`);
  const rows = page.getByRole("region", { name: "Calls" }).getByRole("link");
  await rows.nth(1).waitFor();
  const all = await rows.allInnerTexts();
  await page.getByLabel("Caller").selectOption({ label: "ada (user)" });
  // The list is empty while the filtered calls load.
  await rows.nth(1).waitFor({ state: "detached" });
  await rows.first().waitFor();
  const filtered = await rows.allInnerTexts();
  await rows.first().click();
  const facts = page.locator("dialog[open] .calls-facts");
  await facts.waitFor();
  return { all, filtered, details: await facts.innerText(), address: page.url() };
});
