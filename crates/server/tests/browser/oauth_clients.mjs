// An administrator registers an OAuth client, sees its secret once, blocks it, and invites a user with a link.
import { drive, input, link, origin, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/keys?tab=clients`);
  await page.getByRole("button", { name: "Register a client" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("n8n");
  const addresses = dialog.getByLabel("Redirect URIs");
  await addresses.fill("https://n8n.example/callback\nhttp://n8n.example/callback");
  await dialog.getByLabel("Client authentication").selectOption("client_secret_post");
  await dialog.getByRole("button", { name: "Register client" }).click();
  const error = await dialog.locator(".field-error").innerText();
  await addresses.fill("https://n8n.example/callback");
  await dialog.getByRole("button", { name: "Register client" }).click();
  const secret = await dialog.locator(".secret-value").innerText();
  const id = await dialog.getByRole("figure", { name: "Client ID" }).locator("pre").innerText();
  await takePicture(page, "oauth-client-created");
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByRole("link", { name: "n8n" }).click();
  await page.getByText("https://n8n.example/callback").waitFor();
  const shownAgain = (await page.content()).includes(secret);
  await page.getByRole("button", { name: "Block" }).click();
  const warning = await page.getByRole("dialog").innerText();
  await page.getByRole("dialog").getByRole("button", { name: "Block client" }).click();
  await page.getByRole("button", { name: "Allow" }).waitFor();
  await takePicture(page, "oauth-client-blocked");
  const invitation = await invite(page);
  return { error, secret, id, shownAgain, warning, invitation };
});

/** Creates a sign-in link for the user, and returns it. */
async function invite(page) {
  await page.goto(`${origin}/keys?tab=users`);
  await page.getByRole("button", { name: `Sign-in link for ${input.user}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const url = await dialog.locator(".secret-value").innerText();
  await takePicture(page, "sign-in-link");
  await dialog.getByRole("button", { name: "Done" }).click();
  return url;
}
