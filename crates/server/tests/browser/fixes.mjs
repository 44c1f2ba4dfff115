// Fixes of findings with one click: renames, a budget, adapted lists, search, pausing, each with an undo. `input` has the id
// of a server with such findings.
import { findings } from "./axe.mjs";
import { drive, findOverflow, input, keepMessages, link, origin, takePicture } from "./console.mjs";

await drive(async (openTab) => {
  const tab = await openTab({ viewport: { width: 1440, height: 900 } });
  await keepMessages(tab);
  await tab.goto(link);
  await tab.locator(".shell").waitFor();
  await tab.goto(`${origin}/servers/${input.server}/tools`);
  await tab.getByText(/^\d+ findings:/).click();
  const faults = await check(tab);
  await fix(tab, "Rename to orders_list", "Renamed orders.list to orders_list.");
  await fix(tab, "Limit to 8,000 tokens", "export_orders now has a token limit.");
  await fix(tab, "Adapt lists to clients", "Lists are now adapted to clients.");
  await fix(tab, "Pause 2 unused tools…", "Paused 2 tools.", async () => {
    const dialog = tab.getByRole("dialog");
    await dialog.getByText("orders_list, find_orders").waitFor();
    await takePicture(tab, "fixes-pause");
    await dialog.getByRole("button", { name: "Pause 2 tools" }).click();
  });
  await fix(tab, "Switch to search", "Clients now search for tools.");
  await tab.getByText("(search; the whole list has").waitFor();
  const undone = await undo(tab, "Clients now search for tools.");
  return { faults, undone };
});

/** Clicks the button of a finding, which then disappears. */
async function fix(tab, name, message, confirm) {
  await tab.getByRole("button", { name, exact: true }).first().click();
  await confirm?.();
  await tab.getByText(message).waitFor();
  await tab.getByRole("button", { name, exact: true }).waitFor({ state: "hidden" });
}

async function undo(tab, message) {
  await tab.locator(".toast").filter({ hasText: message }).getByRole("button", { name: "Undo" }).click();
  // It was the last finding, so the list of findings is closed when it appears again.
  await tab.getByText("1 finding: 0 errors, 1 warning, 0 hints").click();
  await tab.getByRole("button", { name: "Switch to search" }).waitFor();
  return tab.getByText("in every conversation").first().innerText();
}

async function check(tab) {
  const faults = [];
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    await tab.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"]) {
      await tab.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const found = [...(await findOverflow(tab)), ...(await findings(tab))];
      await takePicture(tab, `fixes-${width}-${colorScheme}`);
      if (found.length > 0) faults.push({ width, colorScheme, found });
    }
  }
  await tab.setViewportSize({ width: 1440, height: 900 });
  return faults;
}
