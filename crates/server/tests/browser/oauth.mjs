// Signs in and allows a program access, as a person would. `input` has authorization requests: `site` with a callback of
// a web site, `program` with a private scheme, `chain` with a callback that redirects to a private scheme; and `frame`, a
// page of another site that shows the consent page in a frame.
import { drive, findOverflow, input, key, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  const overflow = [];
  const takePictures = async (name) => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `oauth-${name}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    overflow.push(...(await findOverflow(page)));
    await takePicture(page, `oauth-${name}-narrow`, { fullPage: true });
    await page.setViewportSize({ width: 1440, height: 900 });
  };

  await page.goto(input.site);
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await takePictures("sign-in");
  await page.getByLabel("Management key").fill(key);
  await page.getByRole("button", { name: "Sign in with the key" }).click();
  await page.getByRole("heading", { level: 1, name: "Allow access?" }).waitFor();
  const consent = await page.locator("main").innerText();
  await takePictures("consent");
  const cookies = await page.context().cookies();
  await page.getByRole("checkbox", { name: "Change" }).uncheck();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("You are connected").waitFor();
  const site = page.url();

  // No program is registered for these schemes here: Chromium tries to open the address, and the request fails. If the
  // policy of the page forbids it, Chromium does not even try.
  const launches = [];
  const storageState = await page.context().storageState();
  for (const request of [input.program, input.chain]) {
    const tab = await openTab({ storageState });
    await tab.goto(request);
    const ended = tab.waitForEvent("requestfailed");
    await tab.getByRole("button", { name: "Allow" }).click();
    launches.push((await ended).url());
  }

  const framing = await openTab();
  const refusal = framing.waitForEvent("requestfailed");
  await framing.goto(input.frame);
  const refused = (await refusal).failure().errorText;
  const frames = framing.frames().map((frame) => frame.url());
  return { consent, cookies, site, launches, refused, frames, overflow };
});
