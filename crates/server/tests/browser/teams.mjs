// Teams: an administrator edits and disables users, shares a server and hands it over; a viewer is offered no changes.
import { drive, input, link, origin, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const admin = await openTab();
  await admin.goto(link);
  await admin.locator(".shell").waitFor();
  await share(admin);
  const viewer = await openTab();
  const seen = await visit(viewer);
  await editUsers(admin);
  await handOver(admin);
  return seen;
});

async function share(page) {
  await page.goto(`${origin}/servers/${input.server}/access`);
  await page.getByRole("button", { name: "Add member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User name").fill("vera");
  await dialog.getByRole("button", { name: "Add member" }).click();
  await page.getByRole("row").filter({ hasText: "vera" }).waitFor();
  await takePicture(page, "teams-members");
}

/** Returns the texts of all buttons and links that a viewer sees on the pages of the shared server. */
async function visit(page) {
  await page.goto(`${origin}#key=${input.viewerKey}`);
  await page.locator(".shell").waitFor();
  const offered = [];
  const collect = async () => {
    offered.push(...(await page.getByRole("main").getByRole("button").allInnerTexts()));
    offered.push(...(await page.getByRole("main").getByRole("link").allInnerTexts()));
  };
  for (const path of ["import", "documents"]) {
    await page.goto(`${origin}/servers/${input.server}/${path}`);
    await page.getByText("You can view this server, but not change it.").waitFor();
    await page.locator(".empty").waitFor();
    await collect();
  }
  for (const path of [`/servers/${input.server}/tools`, `/servers/${input.server}/tools/${input.tool}`]) {
    await page.goto(`${origin}${path}`);
    // The closed list of findings names the tool as well.
    await page.getByText("forecast").filter({ visible: true }).first().waitFor();
    await page.getByText("You can view this server, but not change it.").waitFor();
    await collect();
  }
  await takePicture(page, "teams-viewer");
  await page.getByRole("link", { name: "Servers" }).click();
  await page.getByText("Shared").first().waitFor();
  await collect();
  await page.goto(`${origin}/keys`);
  await page.getByRole("table", { name: "API keys" }).waitFor();
  offered.push(...(await page.getByRole("main").getByRole("button").allInnerTexts()));
  return { offered: offered.map((text) => text.trim()).filter(Boolean) };
}

async function editUsers(page) {
  await page.goto(`${origin}/keys?tab=users`);
  const row = page.getByRole("row").filter({ hasText: "vera" });
  await row.getByRole("button", { name: "Edit vera" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Veronika");
  await dialog.getByRole("button", { name: "Save user" }).click();
  const renamed = page.getByRole("row").filter({ hasText: "Veronika" });
  await renamed.getByRole("button", { name: "Disable Veronika" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable user" }).click();
  await renamed.getByText("disabled").waitFor();
  await takePicture(page, "teams-users");
}

async function handOver(page) {
  await page.goto(`${origin}/servers/${input.server}/settings`);
  await page.getByRole("button", { name: "Hand over" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("New owner").selectOption({ label: "olga" });
  await dialog.getByRole("button", { name: "Hand over" }).click();
  await page.getByText("has a new owner").waitFor();
}
