// What the scripts here share: a browser with the console in it, and a list of what happened there that should not.
// A script does what a person would do, waits for what that person would see, and fails where it does not come; what it
// prints as JSON is judged in tests/it/console.
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { CHROMIUM, CONSOLE_URL, CONSOLE_FOLDER, CONSOLE_SHOTS, CONSOLE_GIVEN, CONSOLE_PATIENCE } = process.env;
const { chromium } = createRequire(`${CONSOLE_FOLDER}/package.json`)("playwright-core");

/** The link that signs in, the start of every address, the key in the link, and what the test has to say. */
export const link = CONSOLE_URL;
export const { origin } = new URL(CONSOLE_URL);
export const key = new URL(CONSOLE_URL).hash.replace("#key=", "");
export const given = JSON.parse(CONSOLE_GIVEN ?? "null");

/** Starts the browser, lets `work` use it and prints what it returns, with all that should not have happened. */
export async function drive(work) {
  const trouble = { errors: [], elsewhere: [], failed: [], dialogs: [] };
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const pages = [];
  const openTab = async (options = {}) => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
      locale: "en-GB",
      timezoneId: "UTC",
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    watch(page, trouble);
    pages.push(page);
    return page;
  };
  try {
    const seen = await Promise.race([work(openTab), outOfPatience()]);
    process.stdout.write(JSON.stringify({ ...trouble, ...seen }));
  } catch (error) {
    await keepPictures(pages);
    throw error;
  } finally {
    await browser.close();
  }
}

/** Not every wait has an end of its own. The time counts from the start of this process. */
async function outOfPatience() {
  await sleep(Number(CONSOLE_PATIENCE) * 1000 - performance.now(), undefined, { ref: false });
  throw new Error(`not done after ${CONSOLE_PATIENCE} seconds`);
}

/** Which script it is, for the names of pictures. */
export const script = process.argv[1].replace(/^.*\/|\.mjs$/g, "");

export async function takePicture(page, name, options = {}) {
  await mkdir(CONSOLE_SHOTS, { recursive: true });
  await page.screenshot({ path: join(CONSOLE_SHOTS, `${name}.png`), ...options });
}

function watch(page, trouble) {
  // What the policy refuses is told as an error, too; an answer that is one is counted below.
  page.on("console", (message) => {
    const isError = message.type() === "error" && !message.text().startsWith("Failed to load resource: the server responded");
    if (isError) trouble.errors.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.errors.push(`${page.url()}: ${error}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== origin) trouble.elsewhere.push(url);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) trouble.failed.push(`${response.status()} ${response.url()}`);
  });
  page.on("dialog", (dialog) => {
    trouble.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
}

/** What was on the screen when it went wrong. */
async function keepPictures(pages) {
  for (const page of pages) process.stderr.write(`at ${page.url()}\n`);
  const taken = pages.map((page, index) => takePicture(page, `failed-${script}-${index}`, { timeout: 3000 }));
  await Promise.allSettled(taken);
}
