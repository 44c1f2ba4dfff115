// Forms for the lists and responses that models get: settings of a server, response shaping of a tool, and a test run
// that shows the tokens. `input` has the ids of a server and of its tool `list_issues`, whose response is long. Every form is
// checked for accessibility in light and dark colours.
import { findings } from "./axe.mjs";
import { drive, findOverflow, input, keepMessages, link, origin, takePicture } from "./console.mjs";

const settings = `${origin}/servers/${input.server}/settings`;
const tools = `${origin}/servers/${input.server}/tools`;
const response = `${tools}/${input.tool}?tab=response`;

await drive(async (openTab) => {
  const tab = await openTab({ viewport: { width: 1440, height: 900 } });
  await keepMessages(tab);
  await tab.goto(link);
  await tab.locator(".shell").waitFor();
  const faults = [];
  await fillSettings(tab, faults);
  await fillTool(tab, faults);
  const overflow = await runTest(tab, faults);
  await tab.goto(tools);
  const cost = await tab.getByText("in every conversation").innerText();
  return { faults, overflow, cost };
});

/** Pictures and faults of a page in both colours and at both sizes. */
async function check(tab, name, faults) {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    await tab.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"]) {
      await tab.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const found = [...(await findOverflow(tab)), ...(await findings(tab))];
      await takePicture(tab, `${name}-${width}-${colorScheme}`, { fullPage: true });
      if (found.length > 0) faults.push({ name, width, colorScheme, found });
    }
  }
  await tab.setViewportSize({ width: 1440, height: 900 });
}

async function fillSettings(tab, faults) {
  await tab.goto(settings);
  await tab.getByRole("radio", { name: /^Search/ }).check();
  await tab.getByLabel("List budget (tokens)").fill("2000");
  await tab.getByLabel("Client type 1").fill("My Agent");
  await tab.getByLabel("Profile of My Agent").selectOption({ label: "Gemini" });
  await tab.getByRole("radio", { name: /^On / }).check();
  await tab.getByLabel(/^Budget/).fill("100");
  await tab.getByRole("button", { name: "Save changes" }).click();
  // Errors of the API are next to their fields.
  await tab.locator(".pairs-error").getByText("write my-agent").waitFor();
  await tab.locator(".field").filter({ hasText: "Budget (tokens)" }).getByText("between 200").waitFor();
  await check(tab, "model-settings", faults);
  await tab.getByLabel("Client type 1").fill("my-agent");
  await tab.getByLabel(/^Budget/).fill("3000");
  await tab.getByLabel("Lists as tables").check();
  await tab.getByRole("button", { name: "Save changes" }).click();
  await tab.getByText("Settings saved.").waitFor();
}

async function fillTool(tab, faults) {
  await tab.goto(response);
  await tab.getByText("The rules of the server: at most 3,000 tokens").waitFor();
  await tab.getByRole("radio", { name: /^Own rules/ }).check();
  await tab.getByLabel("Budget (tokens)").fill("500");
  await tab.getByLabel("Keep the whole response (minutes)").fill("30");
  await tab.getByLabel("Keep only these members").fill("[].title\n[].user..login");
  await tab.getByLabel("Leave out these members").fill("*_url");
  await tab.getByLabel("HTML pages").selectOption({ label: "As plain text" });
  await tab.getByRole("button", { name: "Save", exact: true }).click();
  await tab.getByText("Line 2").waitFor();
  await check(tab, "model-shaping", faults);
  await tab.getByLabel("Keep only these members").fill("[].title\n[].user.login");
  await tab.getByRole("tab", { name: "Advanced" }).click();
  await tab.getByLabel("Pinned").selectOption({ label: "Yes: always in the list" });
  await tab.getByRole("button", { name: "Save", exact: true }).click();
  await tab.getByText("Saved.").waitFor();
}

async function runTest(tab, faults) {
  await tab.goto(`${tools}/${input.tool}/test`);
  await tab.getByRole("button", { name: "Run" }).click();
  const tokens = tab.getByRole("region", { name: "Tokens" });
  await tokens.getByText("Overflow").waitFor();
  await check(tab, "model-test", faults);
  const [model, raw] = await Promise.all(
    ["What the model receives", "Raw response"].map((title) => tab.locator(".card").filter({ hasText: title }).boundingBox()),
  );
  return { text: await tokens.innerText(), isSideBySide: model.y === raw.y && model.x < raw.x };
}
