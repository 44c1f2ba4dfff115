// From a pasted curl command to a call by a real MCP client, with the console alone. `input` has the command, the
// folder of the MCP clients and the program to run there.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

import { clipboard, copyFrom, paste } from "./clipboard.mjs";
import { drive, input, link } from "./console.mjs";

await drive(async (openTab) => {
  const page = await openTab(clipboard);
  await page.goto(link);
  await page.getByLabel("Paste a curl command").click();
  const start = Date.now();
  await paste(page, input.curl);
  await adjust(page);
  const tested = await test(page);
  await publish(page);
  const snippet = await takeSnippet(page);
  const home = await watchHome(openTab);

  const answer = await call(snippet, "Lima");
  const light = await page.getByRole("status").filter({ hasText: "is connected" }).innerText();
  const took = Date.now() - start;
  const log = await readLog(page);
  const chart = await readChart(page);
  await home.getByRole("link", { name: /^Calls today\s*1\b/ }).waitFor();
  await home.getByRole("img", { name: "1 call in 24 hours" }).waitFor();
  return { tested, answer, light, log, chart, took };
});

/** Renames the tool and makes one value fixed. */
async function adjust(page) {
  await page.getByRole("heading", { name: "Quick add" }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("get_weather");
  await page.getByRole("group", { name: "units: fixed, an argument or left out" }).getByRole("radio", { name: "Fixed" }).check();
  await page.getByRole("figure", { name: "The tool in tools/list" }).getByText('"get_weather"').waitFor();
}

async function test(page) {
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const results = page.locator(".test-results");
  await results.getByText("Raw response").waitFor();
  return results.innerText();
}

async function publish(page) {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Waiting for a client…").waitFor();
}

async function takeSnippet(page) {
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByText("Your new key").waitFor();
  await page.getByRole("navigation", { name: "Client" }).getByRole("button", { name: "Cursor" }).click();
  await page.getByText("this turns green when it connects").waitFor();
  return copyFrom(page.getByRole("figure", { name: "mcp.json for Cursor" }));
}

/** Opens a second window, whose numbers must update without a reload. */
async function watchHome(openTab) {
  const home = await openTab();
  await home.goto(link);
  await home.getByText("no calls yet today").waitFor();
  return home;
}

/** Runs a separate program that has only the copied snippet. */
function call(snippet, city) {
  return new Promise((resolve, reject) => {
    const options = { cwd: input.clients, env: { SNIPPET: snippet, TOOL: "get_weather", ARGUMENTS: JSON.stringify({ city }) } };
    const client = execFile(`${input.clients}/bin/node`, ["--input-type=module", "-"], options, (error, stdout, stderr) =>
      error ? reject(new Error(`${error}\n${stderr}`)) : resolve(stdout.trim()),
    );
    readFile(input.program).then((program) => client.stdin.end(program), reject);
  });
}

async function readLog(page) {
  await page.getByRole("link", { name: "View calls" }).click();
  const row = page.getByRole("region", { name: "Calls" }).getByRole("link");
  await row.first().click();
  const panel = page.getByRole("dialog");
  await panel.getByText("About this call").waitFor();
  const log = { rows: await row.count(), row: await row.first().innerText(), call: await panel.innerText() };
  await page.keyboard.press("Escape");
  return log;
}

/** The number of calls, and the values of the chart from its table. */
async function readChart(page) {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Analytics" }).click();
  const chart = page.getByRole("figure").first();
  await chart.locator("canvas").waitFor();
  return {
    calls: await page.locator(".analytics-stats").getByText("Calls").locator("..").innerText(),
    points: await chart.getByRole("row").evaluateAll((rows) => rows.map((row) => row.cells[1].textContent)),
  };
}
