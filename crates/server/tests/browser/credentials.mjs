// Credentials of a server: created, chosen in a tool, changed for it, and deleted although the tool uses it.
import { drive, input, link, origin, takePicture } from "./console.mjs";

const page = `${origin}/servers/${input.server}/credentials`;
const authentication = `${origin}/servers/${input.server}/tools/${input.tool}?tab=authentication`;

await drive(async (openTab) => {
  const tab = await openTab();
  await tab.goto(link);
  await tab.locator(".shell").waitFor();
  await create(tab);
  await choose(tab);
  await change(tab);
  await remove(tab);
  return {};
});

async function create(tab) {
  await tab.goto(page);
  await tab.getByRole("button", { name: "New credential" }).click();
  const dialog = tab.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("billing");
  await dialog.getByLabel("Token").fill("first-token");
  await takePicture(tab, "credentials-new");
  await dialog.getByRole("button", { name: "Create credential" }).click();
  await tab.getByRole("row").filter({ hasText: "billing" }).getByText("stored").waitFor();
}

async function choose(tab) {
  await tab.goto(authentication);
  await tab.getByLabel("Credential", { exact: true }).selectOption("billing");
  await takePicture(tab, "credentials-tool");
  await tab.getByRole("button", { name: "Save", exact: true }).click();
  await tab.getByText("Saved.").waitFor();
}

async function change(tab) {
  await tab.goto(page);
  await tab.getByRole("button", { name: "Edit billing" }).click();
  const dialog = tab.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("renamed");
  await dialog.getByRole("button", { name: "Replace" }).click();
  await dialog.getByLabel("Token").fill("second-token");
  await dialog.getByRole("button", { name: "Save credential" }).click();
  await tab.getByRole("row").filter({ hasText: "renamed" }).waitFor();
  await takePicture(tab, "credentials-list");
  await tab.goto(authentication);
  await tab.getByRole("option", { name: "renamed: Bearer token", selected: true }).waitFor({ state: "attached" });
}

async function remove(tab) {
  await tab.goto(page);
  await tab.getByRole("button", { name: "New credential" }).click();
  await tab.getByRole("dialog").getByLabel("Name", { exact: true }).fill("unused");
  await tab.getByRole("dialog").getByRole("button", { name: "Create credential" }).click();
  await tab.getByRole("row").filter({ hasText: "unused" }).getByText("missing").waitFor();
  for (const [name, text] of [
    ["unused", "No tool uses it."],
    ["renamed", "1 tool uses it."],
  ]) {
    await tab.getByRole("button", { name: `Delete ${name}` }).click();
    const dialog = tab.getByRole("dialog");
    await dialog.getByText(text).waitFor();
    await dialog.getByRole("button", { name: "Delete credential" }).click();
    await tab.getByText(`Deleted ${name}.`).waitFor();
  }
  await tab.getByText("No credentials yet").waitFor();
}
