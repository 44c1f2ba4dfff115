// A member cannot remove the only account, in the console and on the page of the service. With a password, which a link of
// an administrator sets, the member can. An administrator removes the account of a user. `input.provider` is the name of the
// OpenID provider, `input.limitedKey` a key of the administrator that expires.
import { findings } from "./axe.mjs";
import { drive, findOverflow, input, key, origin, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const faults = [];
  const inspect = async (page, name) => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      faults.push(...(await findings(page)));
      await takePicture(page, `linked-accounts-${name}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    faults.push(...(await findOverflow(page)));
    await takePicture(page, `linked-accounts-${name}-narrow`, { fullPage: true });
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  const signIn = async (page, path) => {
    await page.goto(`${origin}/signin?next=${encodeURIComponent(path)}`);
    await page.getByRole("link", { name: `Sign in with ${input.provider}` }).click();
  };

  const member = await openTab();
  await signIn(member, "/my-connections");
  const accounts = member.getByRole("table", { name: "Linked accounts" });
  await accounts.getByText("248289761001", { exact: true }).waitFor();
  const own = await accounts.innerText();
  await inspect(member, "own");
  await accounts.getByRole("button", { name: "Remove the account 248289761001" }).click();
  await member.getByRole("dialog").waitFor();
  await inspect(member, "own-dialog");
  await member.getByRole("dialog").getByRole("button", { name: "Remove account" }).click();
  const refusals = [await member.getByRole("dialog").getByText("your only way to sign in").innerText()];
  await inspect(member, "own-refused");
  await member.goto(`${origin}/signin`);
  await member.getByRole("heading", { name: "You are signed in" }).waitFor();
  await inspect(member, "service");
  await member.getByRole("button", { name: "Remove 248289761001 at" }).click();
  await member.getByRole("heading", { name: "The account was not removed" }).waitFor();
  await inspect(member, "service-refused");
  refusals.push(await member.getByText("your only way to sign in").innerText());

  const administrator = await openTab();
  await administrator.goto(`${origin}/#key=${key}`);
  await administrator.locator(".shell-user").waitFor();
  await administrator.goto(`${origin}/keys?tab=users`);
  const rowOf = (name) => administrator.getByRole("row").filter({ has: administrator.getByText(name, { exact: true }) });
  await rowOf("Ada Lovelace").getByRole("button", { name: "Sign-in link for Ada Lovelace" }).click();
  const linkDialog = administrator.getByRole("dialog", { name: "Sign-in link for Ada Lovelace" });
  await linkDialog.getByRole("button", { name: "Create link" }).click();
  const url = (await linkDialog.getByText("/signin?link=").innerText()).trim();
  await linkDialog.getByRole("button", { name: "Done" }).click();
  await member.goto(url);
  await member.getByLabel("New password").fill("correct horse");
  await member.getByRole("button", { name: "Set password and sign in" }).click();
  await member.locator(".shell-user").waitFor();
  await member.goto(`${origin}/my-connections`);
  await accounts.getByRole("button", { name: "Remove the account 248289761001" }).click();
  await member.getByRole("dialog").getByRole("button", { name: "Remove account" }).click();
  await member.getByRole("heading", { name: "Sign in to Toolgate" }).waitFor();

  // The account is a new user now.
  await signIn(member, "/signin");
  await member.getByRole("heading", { name: "You are signed in" }).waitFor();
  await administrator.reload();
  const row = rowOf("Ada Lovelace 2");
  await row.getByRole("button", { name: "Accounts of Ada Lovelace 2" }).click();
  const dialog = administrator.getByRole("dialog", { name: "Accounts of Ada Lovelace 2" });
  await dialog.getByText("248289761001", { exact: true }).waitFor();
  const listed = await dialog.getByRole("table").innerText();
  await inspect(administrator, "dialog");
  await dialog.getByRole("button", { name: "Remove the account 248289761001" }).click();
  await administrator.getByRole("button", { name: "Remove account" }).click();
  await dialog.getByText("No account is linked.").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await row.getByRole("button", { name: "Accounts" }).waitFor({ state: "detached" });
  const buttons = await row.getByRole("button").allInnerTexts();
  await member.reload();
  await member.getByRole("heading", { level: 1, name: "Sign in", exact: true }).waitFor();

  // The administrator links the account. With a limited key, it is shown without buttons.
  const browser = await openTab();
  await browser.goto(`${origin}/signin`);
  await browser.getByLabel("Management key").fill(key);
  await browser.getByRole("button", { name: "Sign in with the key" }).click();
  await browser.locator(".shell-user").waitFor();
  await browser.goto(`${origin}/signin`);
  await browser.getByRole("button", { name: `Link an account at ${input.provider}` }).click();
  await browser.getByText("an account is linked").waitFor();
  const limited = await openTab();
  await limited.goto(`${origin}/#key=${input.limitedKey}`);
  await limited.locator(".shell-user").waitFor();
  const limitedTables = [];
  for (const path of ["/my-connections", "/keys?tab=users"]) {
    await limited.goto(`${origin}${path}`);
    if (path.startsWith("/keys")) await limited.getByRole("button", { name: "Accounts of" }).click();
    await limited.getByText("You are signed in with a limited key.").waitFor();
    await inspect(limited, `limited-${limitedTables.length}`);
    limitedTables.push(await limited.getByRole("table", { name: "Linked accounts" }).innerText());
  }
  return { own, refusals, listed, buttons, limitedTables, faults };
});
