// The owner of a server chooses that people sign in, reads the address and the steps, and lets everyone with an account in.
import { findings } from "./axe.mjs";
import { drive, findOverflow, input, link, origin, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${input.server}/access`);
  // Not `check`: the choice changes when the service has saved it.
  await page.getByRole("radio", { name: /^People who sign in/ }).click();
  await page.getByText("now requires sign-in").waitFor();
  const address = await page.getByRole("figure", { name: "Address of the server" }).locator("pre").innerText();
  const steps = {};
  for (const client of ["Claude", "ChatGPT", "Claude Code", "VS Code", "Cursor"]) {
    await page.getByRole("tab", { name: client, exact: true }).click();
    steps[client] = await page.getByRole("tabpanel").innerText();
  }
  await page.getByRole("radio", { name: /^Everyone with an account/ }).check();
  await page.getByLabel("Lifetime of access tokens").selectOption({ label: "24 hours" });
  await page.getByRole("checkbox", { name: "Accept keys as well" }).uncheck();
  await page.getByRole("button", { name: "Save sign-in" }).click();
  await page.getByText("Saved the sign-in settings").waitFor();
  await page.reload();
  const saved = await page.getByRole("radio", { name: /^Everyone with an account/ }).isChecked();
  const faults = await checkExternal(page);

  // The end of sign-in ends the access of connected apps, so the page asks for confirmation.
  await page.getByRole("radio", { name: /^Clients with a key/ }).click();
  const warning = await page.getByRole("dialog").innerText();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  const kept = await page.getByRole("radio", { name: /^People who sign in/ }).isChecked();
  return { address, steps, saved, faults, warning, kept };
});

/** The fields of another issuer, at both sizes; an error is shown at its field. */
async function checkExternal(page) {
  const faults = [];
  await page.getByRole("radio", { name: /^Another issuer/ }).check();
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByText("Claims, scopes and verification").click();
  await page.getByLabel("Issuer URL").fill("http://login.example");
  await page.getByRole("button", { name: "Save sign-in" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Change issuer" }).click();
  await page.locator("input[aria-invalid=true]").waitFor();
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(viewport);
    faults.push(...(await findOverflow(page)), ...(await findings(page)));
    await takePicture(page, `access-external-${viewport.width}`, { fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const field = page.getByLabel("Issuer URL");
  const error = await page.locator(`[id="${await field.getAttribute("id")}-error"]`).innerText();
  if (!error.includes("https")) faults.push({ error });
  await page.getByRole("button", { name: "Discard" }).click();
  return faults;
}
