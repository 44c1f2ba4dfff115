// Follows the sign-in link of the startup banner and opens a few pages of the empty installation.
import { findings } from "./axe.mjs";
import { drive, link, origin } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  const pages = [];
  for (const address of [link, `${origin}/servers`, `${origin}/no/such/page`]) pages.push(await visit(page, address));
  return { pages };
});

async function visit(page, address) {
  const response = await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return {
    status: response.status(),
    address: page.url(),
    localStorage: await page.evaluate(() => ({ ...localStorage })),
    cookies: (await page.context().cookies()).length,
    faults: await findFaults(page),
  };
}

/** The violations that axe finds in light and in dark colours. */
async function findFaults(page) {
  const faults = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    faults.push(...(await findings(page)));
  }
  return faults;
}
