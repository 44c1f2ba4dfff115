// Looks at everything that others may have a say in. Where a page took it for markup there would be an element of ours,
// or a script of ours would have run. `given` has the ids of what is hostile.
import { drive, given, link, origin } from "./console.mjs";

const { server, tool, failing } = given;
const of = `/servers/${server}`;
const mark = "hostile";

/** Address, and what to do there until the hostile words are in sight. */
const places = [
  ["/"],
  ["/servers"],
  ["/servers", askToDelete],
  [`${of}/tools`],
  [`${of}/prompts`, openItem],
  [`${of}/resources`, readResource],
  [`${of}/connect`],
  [`${of}/connect?client=cursor`],
  [`${of}/access`],
  [`${of}/settings`],
  [`${of}/tools/${tool}`],
  [`${of}/tools/${tool}?tab=parameters`],
  [`${of}/tools/${tool}?tab=advanced`],
  [`${of}/tools/${tool}/test`, runTest],
  [`${of}/tools/${failing}/test`, runTest],
  ["/api", findServer],
  ["/calls", openCall],
  ["/analytics"],
  ["/keys"],
  ["/keys?tab=users"],
  ["/quick-add", quickAdd],
];

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  const seen = [];
  for (const [address, act] of places) {
    await page.goto(origin + address);
    await act?.(page);
    await inSight(page);
    seen.push({ address, ...(await harm(page)) });
  }
  seen.push({ address: "an error", ...(await refused(page)) });
  return { seen };
});

/** In a text or in the value of a field: seen, but as words. */
async function inSight(page) {
  await page.waitForFunction((mark) => {
    const values = [...document.querySelectorAll("input, textarea, option")].map((field) => field.value);
    return [document.querySelector("#app").textContent, ...values].some((text) => text.includes(mark));
  }, mark);
}

/** What ran, and what came into the page of the elements in the hostile texts. */
function harm(page) {
  return page.evaluate((mark) => {
    const elements = document.querySelectorAll(
      `.${mark}, [onerror], [onload], [onclick], [srcdoc], iframe, object, embed, marquee, base, #app script, #app style, #app meta`,
    );
    const links = [...document.querySelectorAll("a[href]")].filter(({ protocol }) => /^(javascript|data|vbscript):$/.test(protocol));
    return {
      ran: globalThis.__xss ?? null,
      elements: [...elements].map((element) => element.outerHTML.slice(0, 200)),
      links: links.map(({ href }) => href.slice(0, 200)),
    };
  }, mark);
}

/** In the command palette; a page that has no hostile words of its own. */
async function findServer(page) {
  await page.getByRole("heading", { name: "API", exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("hostile");
  await page.getByRole("option").filter({ hasText: "hostile" }).first().waitFor();
}

async function askToDelete(page) {
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: /^Delete/ }).click();
  await page.getByRole("dialog").getByText(mark).first().waitFor();
}

async function openItem(page) {
  await page.locator(".items-name").first().click();
  await page.getByText("Preview").waitFor();
}

async function readResource(page) {
  await page.locator(".items-name").first().click();
  await page.getByRole("button", { name: "Read resource" }).click();
  await page.locator(".resources-content").waitFor();
}

async function runTest(page) {
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Raw response").waitFor();
}

async function openCall(page) {
  await page.getByRole("region", { name: "Calls" }).getByRole("link").first().click();
  await page.getByRole("dialog").getByText("About this call").waitFor();
}

async function quickAdd(page) {
  await page.locator(".cm-content").fill(given.curl);
  await page.locator(".quick-add-publish").waitFor();
}

/** What the service says about a wrong value is shown, too. */
async function refused(page) {
  await page.goto(`${origin}${of}/settings`);
  await page.getByLabel("Name", { exact: true }).fill(given.text.repeat(10));
  await page.getByRole("button", { name: /^Save/ }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  return harm(page);
}
