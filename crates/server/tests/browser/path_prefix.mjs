// Opens the console below a path prefix: by the sign-in link, by its links, by the address of a page, and by going back.
import { drive, link } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab({ ignoreHTTPSErrors: true });
  const paths = [];
  const arriveAt = async (title) => {
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    paths.push(new URL(page.url()).pathname);
  };
  await page.goto(link);
  await arriveAt("Create your first tool");
  await page.getByRole("link", { name: "Servers", exact: true }).click();
  await arriveAt("Servers");
  const href = await page.getByRole("link", { name: "Calls", exact: true }).getAttribute("href");
  await page.goto(new URL(href, page.url()).href);
  await arriveAt("Calls");
  await page.reload();
  await arriveAt("Calls");
  await page.goBack();
  await arriveAt("Servers");
  return { paths };
});
