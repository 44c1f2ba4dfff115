// Every page in light and dark, on a desk and in a hand: a picture of each, and what is wrong with it. `given` has the
// ids of what the pages are about.
import { findings } from "./axe.mjs";
import { drive, given, link, origin, takePicture } from "./console.mjs";

const { server, tool, prompt, resource } = given;
const of = `/servers/${server}`;

/** Name, address, what is there once it is loaded, and what to do to see it. */
const pages = [
  ["home", "/", ".sparkline"],
  ["servers", "/servers", "table a"],
  ["quick-add", "/quick-add", ".quick-add-publish", pasteExample],
  ["server-tools", `${of}/tools`, ".tools-row"],
  ["server-prompts", `${of}/prompts`, ".item-list, .items, li"],
  ["server-prompt", `${of}/prompts`, "form", openFirst("plan_trip")],
  ["server-resources", `${of}/resources`, "li"],
  ["server-resource", `${of}/resources`, "form", openFirst("Weather stations")],
  ["server-connect", `${of}/connect?client=cursor`, ".code-block"],
  ["server-access", `${of}/access`, "table td"],
  ["server-settings", `${of}/settings`, "form"],
  ["tool-editor", `${of}/tools/${tool}`, "form, .field"],
  ["tool-editor-parameters", `${of}/tools/${tool}?tab=parameters`, ".field, table"],
  ["tool-new", `${of}/tools/new`, ".field"],
  ["test-console", `${of}/tools/${tool}/test`, ".test-panel", runTest],
  ["calls", "/calls", "a.calls-row"],
  ["call", "/calls", "dialog[open] .calls-facts", openFirstCall],
  ["analytics", "/analytics", ".chart canvas"],
  ["keys", "/keys", "table td"],
  ["settings", "/settings", ".card"],
  ["api", "/api", "main h2"],
];

/** Both at once: one waits while the other computes. */
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

await drive(async (openTab) => {
  const seen = await Promise.all(sizes.map((viewport) => seeAll(openTab, viewport)));
  return { faults: seen.flatMap(({ faults }) => faults), visited: seen.map(({ visited }) => visited) };
});

async function seeAll(openTab, viewport) {
  const page = await openTab({ viewport });
  const faults = [];
  const see = async ([name, address, sign, act]) => {
    await page.goto(origin + address);
    await act?.(page);
    await page.locator(sign).first().waitFor();
    await settled(page);
    for (const colorScheme of ["light", "dark"]) {
      await paint(page, colorScheme);
      const found = [...(await sideways(page)), ...(await findings(page, colorScheme === "dark"))];
      await takePicture(page, `${name}-${viewport.width}-${colorScheme}`, { fullPage: true });
      if (found.length > 0) faults.push({ page: name, viewport, colorScheme, found });
    }
    await page.emulateMedia({ colorScheme: "light" });
  };
  await see(["sign-in", "/", ".sign-in"]);
  await page.goto(link);
  await page.locator(".shell").waitFor();
  for (const each of pages) await see(each);
  return { faults, visited: pages.length + 1 };
}

/** Nothing is on its way and no skeleton is left. */
async function settled(page) {
  await page.waitForFunction(() => !document.querySelector(".skeleton, [aria-busy=true]"));
  await page.evaluate(() => document.fonts.ready);
}

/** Other colours, and all of them there: some come gently, and a busy machine begins late with it. */
async function paint(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async (colorScheme) => {
    const frame = () => new Promise(requestAnimationFrame);
    // In a closed disclosure, Chromium lists transitions that have ended.
    const isUnderWay = ({ effect, playState }) => playState === "running" && effect.getComputedTiming().iterations !== Infinity;
    while (!matchMedia(`(prefers-color-scheme: ${colorScheme})`).matches) await frame();
    await frame();
    do await frame();
    while (document.getAnimations().some(isUnderWay));
  }, colorScheme);
}

/** A page that scrolls sideways has something too wide in it. */
async function sideways(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
    return [{ id: "sideways", scrollWidth, at: wide.slice(0, 5).map((one) => `${one.tagName}.${one.className}`) }];
  });
}

async function pasteExample(page) {
  await page.getByRole("button", { name: "A POST with a key" }).click();
}

function openFirst(name) {
  return (page) => page.getByText(name).first().click();
}

async function openFirstCall(page) {
  await page.getByRole("region", { name: "Calls" }).getByRole("link").first().click();
}

async function runTest(page) {
  await page.getByLabel("city").fill("Bern");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Raw response").waitFor();
}
