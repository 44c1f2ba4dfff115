// Changes that are not saved: asked about before the page is left, kept by those who stay. `given` has the id of a
// server with a tool called edited.
import { drive, given, link, origin } from "./console.mjs";

const words = "Not saved yet, and dear to me.";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}/servers/${given.server}/tools`);
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

  // Here the browser itself asks, in its own words.
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  stayed.askedAs = (await asked).type();

  await leave.click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { name: "Calls", exact: true }).waitFor();
  return { stayed };
});
