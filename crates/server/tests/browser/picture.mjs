// Takes the pictures of the documentation. `input` has the folder to write them to and the id of a server.
import { drive, input, link, origin } from "./console.mjs";

const curl = `curl 'https://api.example.com/v1/cities/Bern/forecast?days=3&units=metric' \\
  -H 'Authorization: Bearer wx_5f2c91d0'`;
const description = "The forecast of a city for the next days: sky, temperatures, rain and wind.";

await drive(async (openTab) => {
  const page = await openTab({ colorScheme: "light" });
  await page.goto(link);
  await page.locator(".shell").waitFor();
  const take = async (name) => {
    await page.waitForFunction(() => !document.querySelector(".skeleton, [aria-busy=true]"));
    await page.mouse.move(0, 0);
    await page.screenshot({ path: `${input.folder}/${name}` });
  };

  await page.goto(`${origin}/quick-add?server=${input.server}`);
  await page.locator(".cm-content").fill(curl);
  const path = page.getByRole("region", { name: "Path" });
  await path.getByRole("group", { name: "Bern: fixed or an argument" }).getByRole("radio", { name: "Argument" }).check();
  await path.getByRole("textbox", { name: "Argument" }).fill("city");
  await path.getByRole("textbox", { name: "Description" }).fill("Name of a city, in English");
  await page.getByLabel("Name", { exact: true }).fill("get_forecast");
  await page.getByLabel("Description", { exact: true }).first().fill(description);
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator("h1").click();
  await take("console.png");

  await page.goto(`${origin}/analytics`);
  await page.locator(".chart canvas").nth(1).waitFor();
  await take("console-analytics.png");
  return {};
});
