// Connects the web interface of the MCP Inspector to a server that requires sign-in, as a person would: connects, signs
// in, allows access, and calls a tool. `input.inspector` is the URL that the Inspector printed.
import { drive, input, key } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  // The Inspector asks another host for a font. Tests use no other hosts.
  await page.context().route((url) => url.hostname !== "127.0.0.1", (route) => route.fulfill({ body: "" }));

  await page.goto(input.inspector);
  // The input of a switch is hidden behind its track.
  await page.getByRole("switch", { name: "Connect or disconnect" }).check({ force: true });
  await page.getByLabel("Management key").fill(key);
  await page.getByRole("button", { name: "Sign in with the key" }).click();
  await page.getByRole("heading", { level: 1, name: "Allow access?" }).waitFor();
  const consent = await page.locator("main").innerText();
  await page.getByRole("button", { name: "Allow" }).click();

  await page.getByText("Connected", { exact: true }).waitFor();
  await page.getByRole("banner").getByText("Tools", { exact: true }).click();
  await page.getByRole("heading", { name: "Tools (2)" }).waitFor();
  const tools = await page.getByRole("main").getByRole("button", { name: /^(get|say)_/ }).allInnerTexts();
  await page.getByRole("button", { name: "get_weather" }).click();
  await page.getByRole("textbox", { name: "city", exact: true }).fill("Zürich");
  await page.getByRole("button", { name: "Execute Tool" }).click();
  await page.getByText("Sunny in Zürich").first().waitFor();
  return { consent, tools };
});
