// Signs in to the console on the sign-in page of the service, which starts a browser session. Opens a second tab, lets
// the service reject a token once, and signs out. `input.provider` is the name of an OpenID provider, if there is one.
import { drive, findOverflow, input, key, link, takePicture } from "./console.mjs";

const address = (path) => new URL(path, link).href.split("#")[0];

await drive(async (openTab) => {
  const page = await openTab({ ignoreHTTPSErrors: true });
  const overflow = [];
  const takePictures = async (name) => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `sign-in-${name}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    overflow.push(...(await findOverflow(page)));
    await takePicture(page, `sign-in-${name}-narrow`, { fullPage: true });
    await page.setViewportSize({ width: 1440, height: 900 });
  };

  await page.goto(address("calls?status=error"));
  await page.getByRole("heading", { name: "Sign in to Toolgate" }).waitFor();
  await takePictures("console");
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in", exact: true }).waitFor();
  await takePictures("service");
  await page.getByLabel("Management key").fill(key);
  await page.getByRole("button", { name: "Sign in with the key" }).click();
  await page.getByRole("heading", { name: "Calls", exact: true }).waitFor();
  const arrived = new URL(page.url());
  await page.locator(".shell-user").waitFor();
  await takePictures("signed-in");
  const during = await readStorage(page);

  const second = await page.context().newPage();
  await second.goto(address("servers"));
  await second.getByRole("heading", { name: /Servers|Create your first tool/ }).first().waitFor();

  // The service rejects a token once; the console gets another one and repeats the request.
  let rejections = 0;
  await page.route("**/v1/audit*", (route) => {
    if (rejections > 0) return route.continue();
    rejections += 1;
    return route.fulfill({ status: 401, contentType: "application/json", body: '{"code":"rest_forbidden","message":"Sorry"}' });
  });
  const renewed = page.waitForResponse((response) => response.url().endsWith("/signin/token"));
  await page.getByRole("link", { name: "Audit", exact: false }).first().click();
  const renewal = (await renewed).status();
  await page.getByRole("heading", { level: 1 }).first().waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  for (const tab of [page, second]) await tab.getByRole("heading", { name: "Sign in to Toolgate" }).waitFor();
  const after = await readStorage(page);
  await second.reload();
  await second.getByRole("heading", { name: "Sign in to Toolgate" }).waitFor();

  const provided = input?.provider ? await useProvider(page) : undefined;
  return { path: arrived.pathname + arrived.search, during, rejections, renewal, after, overflow, provided };

  async function useProvider(tab) {
    await tab.getByRole("link", { name: "Sign in", exact: true }).click();
    await tab.getByRole("link", { name: `Sign in with ${input.provider}` }).click();
    await tab.locator(".shell-user").waitFor();
    await takePictures("member");
    return tab.locator(".shell-user").innerText();
  }
});

/** Everything that the page can read, and the number of cookies. */
async function readStorage(page) {
  const stores = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]));
  return { stores, cookies: (await page.context().cookies()).length };
}
