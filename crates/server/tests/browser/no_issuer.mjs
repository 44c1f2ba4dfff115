// A service that cannot issue tokens: the page says what to set, and saves nothing.
import { drive, input, link, origin, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  const changes = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") changes.push(request.url());
  });
  const issuer = page.waitForResponse((response) => response.url().endsWith("/oauth/issuer"));
  await page.goto(`${origin}/servers/${input.server}/access`);
  await issuer;
  await page.getByRole("radio", { name: /^People who sign in/ }).check();
  const callout = await page.locator(".callout").innerText();
  const save = page.getByRole("button", { name: "Require sign-in" });
  const isOffered = await save.isEnabled();
  await takePicture(page, "no-issuer", { fullPage: true });
  // Tokens of another issuer need the address of this service as well.
  await page.getByRole("radio", { name: /^Another issuer/ }).check();
  await page.getByLabel("Issuer URL").waitFor();
  return { callout, isOffered, isOfferedForOther: await save.isEnabled(), changes };
});
