// The owner of a server looks at the connected apps and ends the access of one. `input.server` has one connected app.
import { findings } from "./axe.mjs";
import { drive, findOverflow, input, link, origin, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${input.server}/access`);
  await page.getByRole("link", { name: "Connected apps" }).click();
  const row = page.getByRole("row").filter({ hasText: "Test client" });
  const connected = await row.innerText();
  const faults = await findings(page);
  await takePicture(page, "connected-apps-1440");
  await page.setViewportSize({ width: 390, height: 844 });
  faults.push(...(await findOverflow(page)));
  await takePicture(page, "connected-apps-390");
  await page.setViewportSize({ width: 1440, height: 900 });
  await row.getByRole("button", { name: "End access of Test client" }).click();
  const dialog = page.getByRole("dialog");
  const warning = await dialog.innerText();
  await dialog.getByRole("button", { name: "End access" }).click();
  await page.getByRole("heading", { name: "No connected apps" }).waitFor();
  return { connected, warning, faults, empty: await page.getByRole("main").innerText() };
});
