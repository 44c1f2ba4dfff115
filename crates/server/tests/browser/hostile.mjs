// Opens every page that shows text of third parties. If a page treated the text as markup, it would contain one of the
// injected elements or an injected script would have run. `input` has the ids of the hostile objects.
import { drive, input, link, origin } from "./console.mjs";

const { server, tool, failing, client } = input;
const serverPath = `/servers/${server}`;
const mark = "hostile";

/** Path, and optional steps until the hostile text is visible. */
const places = [
  ["/"],
  ["/servers"],
  ["/servers", askToDelete],
  [`${serverPath}/tools`],
  [`${serverPath}/prompts`, openItem],
  [`${serverPath}/resources`, readResource],
  [`${serverPath}/connect`],
  [`${serverPath}/connect?client=cursor`],
  [`${serverPath}/access`],
  [`${serverPath}/settings`],
  [`${serverPath}/tools/${tool}`],
  [`${serverPath}/tools/${tool}?tab=parameters`],
  [`${serverPath}/tools/${tool}?tab=advanced`],
  [`${serverPath}/tools/${tool}/test`, runTest],
  [`${serverPath}/tools/${failing}/test`, runTest],
  ["/api", findServer],
  ["/calls", openCall],
  ["/analytics"],
  ["/keys"],
  ["/keys?tab=users"],
  ["/keys?tab=clients"],
  [`/oauth-clients/${client}`],
  ["/quick-add", quickAdd],
  [`${serverPath}/import`, openCandidate],
  [`${serverPath}/import`, importAll],
  [`${serverPath}/documents`],
];

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  const seen = [];
  for (const [address, act] of places) {
    await page.goto(origin + address);
    await act?.(page);
    await waitForMark(page);
    seen.push({ address, ...(await findInjections(page)) });
  }
  seen.push({ address: "an error", ...(await saveInvalidName(page)) });
  return { seen };
});

/** Waits until the page shows the mark as text or as the value of a field. */
async function waitForMark(page) {
  await page.waitForFunction((mark) => {
    const values = [...document.querySelectorAll("input, textarea, option")].map((field) => field.value);
    return [document.querySelector("#app").textContent, ...values].some((text) => text.includes(mark));
  }, mark);
}

/** The injected scripts, elements and links in the page. */
function findInjections(page) {
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

/** Searches in the command palette, from a page that shows no hostile text itself. */
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
  await page.locator(".cm-content").fill(input.curl);
  await page.locator(".quick-add-publish").waitFor();
}

/** Reads a hostile document, and opens one of its operations. */
async function openCandidate(page) {
  const buffer = Buffer.from(input.document);
  await page.locator("input[type=file]").setInputFiles({ name: "hostile.json", mimeType: "application/json", buffer });
  await page.getByText(/in the document$/).first().click();
  await page.getByRole("region", { name: "Problems" }).getByText(mark).first().waitFor();
  await page.locator(".import-name").first().click();
  await page.getByRole("dialog").getByText(mark).first().waitFor();
}

/** Creates the tools of the hostile document; the result names them. */
async function importAll(page) {
  await openCandidate(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: /^Import \d/ }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
}

/** Saves an invalid name, so that the page shows the error message of the service. */
async function saveInvalidName(page) {
  await page.goto(`${origin}${serverPath}/settings`);
  await page.getByLabel("Name", { exact: true }).fill(input.text.repeat(10));
  await page.getByRole("button", { name: /^Save/ }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  return findInjections(page);
}
