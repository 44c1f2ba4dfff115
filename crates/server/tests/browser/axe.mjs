// axe-core looks for what keeps people out: contrast, names of controls, roles. By evaluation, because the policy of the
// page takes no script from elsewhere.
import { readFile } from "node:fs/promises";

const source = await readFile(`${process.env.CONSOLE_FOLDER}/node_modules/axe-core/axe.min.js`, "utf8");

/** Findings that are serious or critical, each with the elements it is about; only those of colours where asked. */
export async function findings(page, onlyColours = false) {
  if (!onlyColours) await page.evaluate(source);
  return page.evaluate(async (onlyColours) => {
    const rules = onlyColours ? { runOnly: ["color-contrast", "link-in-text-block"] } : {};
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"], ...rules });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`) }));
  }, onlyColours);
}
