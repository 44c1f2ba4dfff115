// A member sees only their own connections, and ends one. `input.memberKey` is a key of the member.
import { findings } from "./axe.mjs";
import { drive, findOverflow, input, origin, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(`${origin}/#key=${input.memberKey}`);
  const row = page.getByRole("row").filter({ hasText: "Test client" });
  const connected = await row.innerText();
  const pages = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allInnerTexts();
  const note = await page.getByRole("main").innerText();
  const faults = await findings(page);
  await page.setViewportSize({ width: 390, height: 844 });
  faults.push(...(await findOverflow(page)));
  await takePicture(page, "my-connections-390");
  await page.setViewportSize({ width: 1440, height: 900 });
  await takePicture(page, "my-connections-1440");

  await page.keyboard.press("Control+k");
  const options = page.getByRole("option");
  await options.first().waitFor();
  const commands = await options.allInnerTexts();
  await page.keyboard.press("Escape");
  await page.goto(`${origin}/servers`);
  await page.getByRole("heading", { name: "This page is for people who manage servers" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "My connections" }).click();
  await row.getByRole("button", { name: "End access of Test client" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End access" }).click();
  await page.getByRole("heading", { name: "No connected apps" }).waitFor();
  return { connected, pages, note, faults, commands };
});
