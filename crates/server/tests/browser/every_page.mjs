// Opens every page and dialog in light and dark colours, at desktop and phone size, takes pictures and reports faults.
// `input` has the ids of the objects on the pages, and whether each size is checked in both colours (`is_full`).
import { findings } from "./axe.mjs";
import { drive, findOverflow, input, link, origin, takePicture } from "./console.mjs";

const { server, tool, prompt, resource, imports, sign_in, client } = input;
const serverPath = `/servers/${server}`;
const importsPath = `/servers/${imports.server}`;

/** Name, path, selector of an element that shows that the page is loaded, and optional steps before and after a check. */
const pages = [
  ["home", "/", ".sparkline"],
  ["servers", "/servers", "table a"],
  ["quick-add", "/quick-add", ".quick-add-publish", pasteExample],
  ["server-tools", `${serverPath}/tools`, ".tools-row"],
  ["server-prompts", `${serverPath}/prompts`, ".item-list, .items, li"],
  ["server-prompt", `${serverPath}/prompts`, "form", openFirst("plan_trip")],
  ["server-resources", `${serverPath}/resources`, "li"],
  ["server-resource", `${serverPath}/resources`, "form", openFirst("Weather stations")],
  ["server-connect", `${serverPath}/connect?client=cursor`, ".code-block"],
  ["server-access", `${serverPath}/access`, "table td"],
  ["server-access-sign-in", `/servers/${sign_in}/access`, ".sign-in-steps"],
  ["server-apps", `/servers/${sign_in}/apps`, ".empty"],
  ["server-connect-sign-in", `/servers/${sign_in}/connect?client=cursor`, ".sign-in-steps"],
  ["server-credentials", `${serverPath}/credentials`, "table td"],
  ["server-connect-chatgpt", `${serverPath}/connect?client=chatgpt`, ".callout"],
  ["server-settings", `${serverPath}/settings`, "form"],
  ["tool-editor", `${serverPath}/tools/${tool}`, "form, .field"],
  ["tool-editor-parameters", `${serverPath}/tools/${tool}?tab=parameters`, ".field, table"],
  ["tool-editor-authentication", `${serverPath}/tools/${tool}?tab=authentication`, ".field"],
  ["tool-editor-response", `${serverPath}/tools/${tool}?tab=response`, ".radio-card"],
  ["tool-editor-limits", `${serverPath}/tools/${tool}?tab=limits`, ".field"],
  ["tool-editor-advanced", `${serverPath}/tools/${tool}?tab=advanced`, ".field"],
  ["tool-new", `${serverPath}/tools/new`, ".field"],
  ["test-console", `${serverPath}/tools/${tool}/test`, ".test-panel", runTest],
  ["import-target", "/import", ".import-target"],
  ["import", `${importsPath}/import`, "textarea"],
  ["import-candidates", `${importsPath}/import`, ".import-bar", readDocument],
  ["documents", `${importsPath}/documents`, "table td"],
  ["document", `${importsPath}/documents/${imports.document}`, ".card"],
  ["document-differences", `${importsPath}/documents/${imports.document}`, ".documents-columns", compareDocument],
  ["tool-editor-imported", `${importsPath}/tools/${imports.tool}`, ".tool-origin a"],
  ["calls", "/calls", "a.calls-row"],
  ["call", "/calls", "dialog[open] .calls-facts", openFirstCall],
  ["analytics", "/analytics", ".chart canvas"],
  ["keys", "/keys", "table td"],
  ["users", "/keys?tab=users", "table td"],
  ["oauth-clients", "/keys?tab=clients", "table td"],
  ["oauth-client", `/oauth-clients/${client}`, ".oauth-clients-facts"],
  ["my-connections", "/my-connections", ".empty"],
  ["audit", "/audit", "table td"],
  ["settings", "/settings", ".card"],
  ["api", "/api", "main h2"],
  ["not-found", "/no/such/page", ".empty"],
];

/** As `pages`: menus, dialogs and messages above a page. */
const overlays = [
  ["palette", "/servers", "dialog[open]", (page) => page.keyboard.press("Control+k")],
  ["menu", "/servers", ".menu:popover-open", clickButton("Actions for Weather")],
  ["delete-dialog", "/servers", "dialog[open]", chooseFromMenu("Delete…")],
  ["message", "/servers", ".toast", chooseFromMenu("Duplicate")],
  ["new-server-dialog", "/servers", "dialog[open]", clickButton("New server")],
  ["new-key-dialog", "/keys", "dialog[open]", clickButton("New key")],
  ["new-user-dialog", "/keys?tab=users", "dialog[open]", clickButton("New user")],
  ["edit-user-dialog", "/keys?tab=users", "dialog[open]", clickButton(/^Edit/)],
  ["sign-in-link-dialog", "/keys?tab=users", "dialog[open]", clickButton(/^Sign-in link/)],
  ["new-client-dialog", "/keys?tab=clients", "dialog[open]", clickButton("Register a client")],
  ["block-client-dialog", `/oauth-clients/${client}`, "dialog[open]", clickButton("Block")],
  ["add-member-dialog", `${serverPath}/access`, "dialog[open]", clickButton("Add member")],
  ["hand-over-dialog", `${serverPath}/settings`, "dialog[open]", clickButton("Hand over")],
  ["new-endpoint-key", `${serverPath}/access`, "dialog[open] .secret", createEndpointKey],
  ["revoke-dialog", `${serverPath}/access`, "dialog[open]", clickButton(/^Revoke/)],
  ["new-credential-dialog", `${serverPath}/credentials`, "dialog[open]", clickButton("New credential")],
  ["delete-credential-dialog", `${serverPath}/credentials`, "dialog[open]", clickButton(/^Delete/)],
  ["import-tool-dialog", `${importsPath}/import`, "dialog[open]", openCandidate],
  ["edit-document-dialog", `${importsPath}/documents`, "dialog[open]", chooseDocumentAction("Edit")],
  ["delete-document-dialog", `${importsPath}/documents`, "dialog[open]", chooseDocumentAction("Delete…")],
  ["leave-dialog", `${serverPath}/tools/${tool}`, "dialog[open]", leaveWithChanges, clickButton("Leave")],
  // The last one, because it ends the session.
  ["signed-out-dialog", `${serverPath}/tools/${tool}`, "dialog[open]", signOutInAnotherTab],
];

/**
 * Both sizes run concurrently, because each spends much of its time waiting. `sample` is the colour scheme of a run
 * that is not full.
 */
const sizes = [
  { viewport: { width: 1440, height: 900 }, sample: "light" },
  { viewport: { width: 390, height: 844 }, sample: "dark" },
];

/** The service reads one document at a time for a user, so the sizes take turns. */
let turn = Promise.resolve();

await drive(async (openTab) => {
  const results = await Promise.all(sizes.map((size) => checkAll(openTab, size)));
  const faults = results.flatMap(({ faults }) => faults);
  return { faults, visited: results.map(({ visited, overlays }) => [visited, overlays]) };
});

async function checkAll(openTab, { viewport, sample }) {
  const colorSchemes = input.is_full ? ["light", "dark"] : [sample];
  const page = await openTab({ viewport });
  const faults = [];
  const check = async ([name, path, selector, act, leave]) => {
    await page.goto(origin + path);
    await act?.(page);
    await page.locator(selector).first().waitFor();
    await waitUntilLoaded(page);
    for (const colorScheme of colorSchemes) {
      await setColorScheme(page, colorScheme);
      const onlyColours = colorScheme !== colorSchemes[0];
      const found = [...(await findOverflow(page)), ...(await findings(page, onlyColours))];
      await takePicture(page, `${name}-${viewport.width}-${colorScheme}`, { fullPage: true });
      if (found.length > 0) faults.push({ page: name, viewport, colorScheme, found });
    }
    await page.emulateMedia({ colorScheme: "light" });
    await leave?.(page);
  };
  await check(["sign-in", "/", ".sign-in"]);
  await page.goto(link);
  await page.locator(".shell").waitFor();
  for (const each of [...pages, ...overlays]) await check(each);
  return { faults, visited: pages.length + 1, overlays: overlays.length };
}

/** Waits until the page has loaded its data and fonts. */
async function waitUntilLoaded(page) {
  await page.waitForFunction(() => !document.querySelector(".skeleton, [aria-busy=true]"));
  await page.evaluate(() => document.fonts.ready);
}

/** Sets the colour scheme and waits for the end of colour transitions, which may start late on a busy machine. */
async function setColorScheme(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async (colorScheme) => {
    const frame = () => new Promise(requestAnimationFrame);
    // In a closed disclosure, Chromium also lists transitions that have ended.
    const isRunning = ({ effect, playState }) => playState === "running" && effect.getComputedTiming().iterations !== Infinity;
    while (!matchMedia(`(prefers-color-scheme: ${colorScheme})`).matches) await frame();
    await frame();
    do await frame();
    while (document.getAnimations().some(isRunning));
  }, colorScheme);
}

function inTurn(work) {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

async function readDocument(page) {
  await page.getByLabel("Link or document").waitFor();
  await inTurn(async () => {
    await sendFile(page);
    await page.locator(".import-bar").waitFor();
  });
}

async function openCandidate(page) {
  await readDocument(page);
  await page.locator(".import-name").nth(1).click();
}

async function compareDocument(page) {
  await page.getByRole("button", { name: "Choose a new file" }).waitFor();
  await inTurn(async () => {
    await sendFile(page);
    await page.locator(".documents-columns").waitFor();
  });
}

function sendFile(page) {
  const buffer = Buffer.from(imports.text);
  return page.locator("input[type=file]").setInputFiles({ name: "shop.json", mimeType: "application/json", buffer });
}

function chooseDocumentAction(item) {
  return async (page) => {
    await page.getByRole("button", { name: "Actions for Shop", exact: true }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
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

function clickButton(name) {
  return (page) => page.getByRole("button", { name }).first().click();
}

/** Chooses an action for the server Warehouse, which is a draft. */
function chooseFromMenu(item) {
  return async (page) => {
    await page.getByRole("button", { name: "Actions for Warehouse", exact: true }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
}

async function createEndpointKey(page) {
  await clickButton("New key")(page);
  await page.getByRole("dialog").getByLabel("Name").fill("For a check");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
}

async function changeDescription(page) {
  await page.getByLabel("Description", { exact: true }).fill("Not saved yet.");
}

async function leaveWithChanges(page) {
  await changeDescription(page);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Calls" }).click();
}

/** Signs out in another tab: the page with unsaved changes stays and asks for a key. */
async function signOutInAnotherTab(page) {
  await changeDescription(page);
  const other = await page.context().newPage();
  await other.goto(`${origin}/servers`);
  await other.getByRole("button", { name: "Sign out" }).click();
  // The other tabs are informed after the service has responded; a tab that is closed earlier does not inform them.
  await other.locator(".sign-in").waitFor();
  await other.close();
}

async function runTest(page) {
  await page.getByLabel("city").fill("Bern");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Raw response").waitFor();
}
