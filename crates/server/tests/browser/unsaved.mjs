// Unsaved changes: the page asks before the user leaves, and keeps them if the user stays. `input` has the id of a
// server with a tool called edited.
import { drive, input, link, origin } from "./console.mjs";

const words = "Not saved yet, and dear to me.";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${input.server}/tools`);
  await page.getByRole("link", { name: "edited", exact: true }).click();
  const description = page.getByLabel("Description", { exact: true });
  await description.fill(words);

  const leave = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Calls" });
  const question = page.getByRole("dialog").filter({ hasText: "Leave without saving?" });
  await leave.click();
  await question.getByRole("button", { name: "Stay" }).click();
  const stayed = { at: new URL(page.url()).pathname, words: await description.inputValue() };

  await page.evaluate(() => history.back());
  await question.getByRole("button", { name: "Stay" }).click();
  stayed.afterBack = await description.inputValue();

  // On a reload the browser asks with its own dialog.
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  stayed.askedAs = (await asked).type();

  await leave.click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { name: "Calls", exact: true }).waitFor();
  return { stayed };
});
