// Shared by the scripts in this folder: opens the console in a browser and records errors, requests to other origins,
// failed requests and dialogs. A script acts as a user, waits for elements that the user would see, and fails if one does not
// appear. It prints a JSON object, which the tests in tests/it/console check.
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { CHROMIUM, CONSOLE_URL, CONSOLE_FOLDER, CONSOLE_SHOTS, CONSOLE_INPUT, CONSOLE_TIMEOUT_SECONDS } = process.env;
const { chromium } = createRequire(`${CONSOLE_FOLDER}/package.json`)("playwright-core");

/** The sign-in link, the origin of every URL, the key in the link, and the input from the test. */
export const link = CONSOLE_URL;
export const { origin } = new URL(CONSOLE_URL);
export const key = new URL(CONSOLE_URL).hash.replace("#key=", "");
export const input = JSON.parse(CONSOLE_INPUT ?? "null");

/** Starts the browser, runs `work` in it and prints its result together with the problems that were recorded. */
export async function drive(work) {
  const problems = { errors: [], elsewhere: [], failed: [], dialogs: [] };
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
    page.setDefaultTimeout(60_000);
    watch(page, problems);
    pages.push(page);
    return page;
  };
  try {
    const result = await Promise.race([work(openTab), timeOut()]);
    process.stdout.write(JSON.stringify({ ...problems, ...result }));
  } catch (error) {
    await takeFailurePictures(pages);
    throw error;
  } finally {
    await browser.close();
  }
}

/** Fails after the timeout of the whole script, counted from its start: not every wait has a timeout. */
async function timeOut() {
  await sleep(Number(CONSOLE_TIMEOUT_SECONDS) * 1000 - performance.now(), undefined, { ref: false });
  throw new Error(`not finished after ${CONSOLE_TIMEOUT_SECONDS} seconds`);
}

/**
 * Keeps messages on the page until they are dismissed, so that a test on a busy machine does not miss them. The console
 * removes them after six seconds. Call this before the first page loads.
 */
export async function keepMessages(page) {
  await page.addInitScript(() => {
    const { setTimeout } = window;
    window.setTimeout = (run, ms, ...rest) => (ms === 6000 ? 0 : setTimeout(run, ms, ...rest));
  });
}

/** A page that scrolls horizontally contains an element that is too wide. */
export async function findOverflow(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const tooWide = [...document.querySelectorAll("main *")].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
    return [{ id: "horizontal-overflow", scrollWidth, at: tooWide.slice(0, 5).map((element) => `${element.tagName}.${element.className}`) }];
  });
}

/** The name of the running script, for the file names of pictures. */
export const script = process.argv[1].replace(/^.*\/|\.mjs$/g, "");

export async function takePicture(page, name, options = {}) {
  await mkdir(CONSOLE_SHOTS, { recursive: true });
  await page.screenshot({ path: join(CONSOLE_SHOTS, `${name}.png`), ...options });
}

function watch(page, problems) {
  // Violations of the content security policy are console errors, too. HTTP errors are recorded below.
  page.on("console", (message) => {
    const isError = message.type() === "error" && !message.text().startsWith("Failed to load resource: the server responded");
    if (isError) problems.errors.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.errors.push(`${page.url()}: ${error}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== origin) problems.elsewhere.push(url);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.failed.push(`${response.status()} ${response.url()}`);
  });
  page.on("dialog", (dialog) => {
    problems.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
}

/** Takes a picture of every page when a script fails. */
async function takeFailurePictures(pages) {
  for (const page of pages) process.stderr.write(`at ${page.url()}\n`);
  const taken = pages.map((page, index) => takePicture(page, `failed-${script}-${index}`, { timeout: 3000 }));
  await Promise.allSettled(taken);
}
