// Follows the link of the banner in a real browser, looks around, and prints what was seen as JSON. What is asserted
// about it stands in tests/it/console.rs.
import { createRequire } from "node:module";

const { CHROMIUM, CONSOLE_URL, CONSOLE_FOLDER } = process.env;
const { chromium } = createRequire(`${CONSOLE_FOLDER}/package.json`)("playwright-core");

const origin = new URL(CONSOLE_URL).origin;
const seen = { errors: [], elsewhere: [], failed: [], pages: [] };

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  // What the policy refuses is told as an error, too.
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) seen.elsewhere.push(request.url());
  });
  page.on("response", (response) => response.status() >= 400 && seen.failed.push(`${response.status()} ${response.url()}`));
  for (const address of [CONSOLE_URL, `${origin}/servers`, `${origin}/no/such/page`]) await visit(page, address);
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(seen));

async function visit(page, address) {
  const response = await page.goto(address);
  await page.waitForFunction(() => document.querySelector("#app")?.textContent?.trim());
  seen.pages.push({
    status: response.status(),
    address: page.url(),
    kept: await page.evaluate(() => ({ ...localStorage })),
    cookies: (await page.context().cookies()).length,
  });
}
