// Checks a page with axe-core against WCAG 2.2 AA and its best practices: contrast, names of controls, roles, landmarks,
// sizes of targets. The library is evaluated in the page, because the content security policy allows no script of another
// origin.
import { readFile } from "node:fs/promises";

const source = await readFile(`${process.env.CONSOLE_FOLDER}/node_modules/axe-core/axe.min.js`, "utf8");

/** The rules that are checked. The tag wcag22aa also enables the rule on target sizes, which is off by default. */
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * All violations, each with its elements. With `onlyColours`, only those of the colour rules, on a page that was checked
 * before. Nothing is preloaded: no enabled rule reads style sheets, and the console has no media.
 */
export async function findings(page, onlyColours = false) {
  if (!onlyColours) await page.evaluate(source);
  const runOnly = onlyColours ? ["color-contrast", "link-in-text-block"] : tags;
  return page.evaluate(async (runOnly) => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"], preload: false, runOnly });
    return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`) }));
  }, runOnly);
}
