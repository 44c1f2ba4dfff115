// Checks a page with axe-core for accessibility problems: contrast, names of controls, roles. The library is evaluated
// in the page, because the content security policy allows no script of another origin.
import { readFile } from "node:fs/promises";

const source = await readFile(`${process.env.CONSOLE_FOLDER}/node_modules/axe-core/axe.min.js`, "utf8");

/**
 * The serious and critical violations, each with its elements. With `onlyColours`, only those of the colour rules, on a
 * page that was checked before. Nothing is preloaded: no enabled rule reads style sheets, and the console has no media.
 */
export async function findings(page, onlyColours = false) {
  if (!onlyColours) await page.evaluate(source);
  return page.evaluate(async (onlyColours) => {
    const rules = onlyColours ? { runOnly: ["color-contrast", "link-in-text-block"] } : {};
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"], preload: false, ...rules });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`) }));
  }, onlyColours);
}
