// A document is dropped on the tools of a server. Ten of its operations are chosen and renamed, one argument is fixed, the
// token is entered once, and the tools are created and one is tested. `input` has the id of the server, the text of the
// document and the token.
import { readFile } from "node:fs/promises";
import { drive, input, link, origin, takePicture } from "./console.mjs";

const serverPath = `/servers/${input.server}`;

await drive(async (openTab) => {
  const page = await openTab();
  await page.goto(link);
  await page.locator(".shell").waitFor();
  await page.goto(`${origin}${serverPath}/tools`);
  await page.getByRole("heading", { name: "Add your first tool" }).waitFor();
  await dropFile(page, "items.json", input.document);
  await page.getByRole("heading", { name: "Items" }).waitFor();
  const start = await readStart(page);
  const problem = await readProblem(page);
  await chooseTen(page);
  const source = await renameAll(page);
  await page.getByLabel("Token").fill(input.token);
  await page.getByLabel("Status of new tools").selectOption("active");
  await takePicture(page, "import-chosen");
  await stopCommit(page);
  await page.getByRole("button", { name: "Import 10 tools" }).click();
  await page.getByText("10 tools created").waitFor();
  await takePicture(page, "import-result");
  const tested = await testOne(page);
  return { start, problem, source, tested, origin: await readOrigin(page), downloaded: await useDocument(page) };
});

/** Drops a file on the page, as the browser does. */
async function dropFile(page, name, text) {
  const data = await page.evaluateHandle(
    ({ name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { type: "application/json" }));
      return transfer;
    },
    { name, text },
  );
  for (const type of ["dragover", "drop"]) await page.locator("main").dispatchEvent(type, { dataTransfer: data });
}

async function readStart(page) {
  const sums = await page.getByRole("region", { name: "Selection" }).textContent();
  const deprecated = await page.getByRole("checkbox", { name: /^Select delete_items/ }).isChecked();
  return { selected: sums.match(/\d+ of \d+/)[0], deprecated };
}

async function readProblem(page) {
  await page.getByText("1 problem in the document").click();
  return page.getByRole("region", { name: "Problems" }).innerText();
}

/** Deselects all, then selects ten rows with a click and a shift-click. */
async function chooseTen(page) {
  const all = page.getByRole("checkbox", { name: /^Select all/ });
  await all.click();
  await all.click();
  await page.getByText("0 of 14 selected").waitFor();
  await page.getByLabel("Search operations").fill("get_item");
  await page.getByText("12 of 14").waitFor();
  await page.getByRole("checkbox", { name: "Select get_item0001, " }).click();
  await page.getByRole("checkbox", { name: "Select get_item0010, " }).click({ modifiers: ["Shift"] });
  await page.getByText("10 of 14 selected").waitFor();
}

/** Renames the chosen tools. Returns the text of the document that stood next to the first one. */
async function renameAll(page) {
  let source = "";
  for (let number = 1; number <= 10; number += 1) {
    await page.getByRole("button", { name: `get_item${String(number).padStart(4, "0")}` }).click();
    const dialog = page.getByRole("dialog");
    if (number === 1) {
      source = await dialog.getByRole("region", { name: "GET /items/0001 in the document" }).innerText();
      await fixVerbose(page, dialog);
    }
    await dialog.getByLabel("Name", { exact: true }).fill(`item_${number}`);
    await dialog.getByRole("button", { name: "Apply" }).last().click();
    await dialog.waitFor({ state: "detached" });
  }
  return source;
}

/** A required argument cannot be hidden; an optional one gets a fixed value, which saves tokens. */
async function fixVerbose(page, dialog) {
  if (await dialog.getByRole("group", { name: "How id is sent" }).getByLabel("Hidden").isEnabled()) throw new Error("id can be hidden");
  await dialog.getByRole("group", { name: "How verbose is sent" }).getByLabel("Fixed").check();
  await dialog.getByRole("button", { name: "Apply" }).last().click();
  await dialog.getByText("Enter the value that every call sends.").waitFor();
  await dialog.getByLabel("Value of verbose").fill("true");
  await dialog.getByText(/tokens before, \d+ after/).waitFor();
  await takePicture(page, "import-tool");
}

/** Stops a commit that does not reach the service: the page checks and says that nothing was created. */
async function stopCommit(page) {
  await page.route("**/import-openapi*", () => undefined);
  await page.getByRole("button", { name: "Import 10 tools" }).click();
  await page.getByRole("heading", { name: "Creating 10 tools" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("No tools were created, and no credentials were stored.").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.unroute("**/import-openapi*");
}

async function testOne(page) {
  await page.getByRole("link", { name: "Test item_1", exact: true }).first().click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Raw response").waitFor();
  return page.locator(".test-results").innerText();
}

async function readOrigin(page) {
  await page.getByRole("link", { name: "Edit tool" }).click();
  const note = page.getByText("Changes that you make here are kept when you refresh the document.");
  await note.waitFor();
  await page.getByRole("link", { name: "Items" }).waitFor();
  return note.innerText();
}

/** Renames the stored document and downloads it. */
async function useDocument(page) {
  await page.getByRole("link", { name: "Items" }).click();
  await page.getByRole("link", { name: "All documents" }).click();
  await page.getByRole("button", { name: "Actions for Items" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Documented items");
  await page.getByRole("dialog").getByRole("button", { name: "Save document" }).click();
  await page.getByRole("button", { name: "Actions for Documented items" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download" }).click();
  await takePicture(page, "import-documents");
  return readFile(await (await download).path(), "utf8");
}
