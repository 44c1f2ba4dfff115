/** Updates the path in the suggested description of a tool when path values become arguments or fixed values. */
import { splitUrl } from './url-parts';

/** The request at the end of the importer's description: `(GET /users/{user_id}).` */
const requestAtEnd = /\(([A-Z]+) (\/[^)]*)\)\.$/;
/** Texts that the importer does not repeat, because they look like a token: 16 or more letters and digits. */
const opaqueText = /(?=[a-z0-9]*[a-z])(?=[a-z0-9]*\d)[a-z0-9]{16,}/i;

/** The description for the new URL of the tool. */
export function describeUrl(description: string, importedUrl: string, url: string): string {
  const [imported, current] = [splitUrl(importedUrl).segments, splitUrl(url).segments];
  return description.replace(requestAtEnd, (match, method: string, path: string) => {
    const shown = path.split('/');
    // A long path is cut off, so its segments cannot be assigned.
    if (shown.length !== imported.length || imported.length !== current.length) return match;
    const segments = shown.map((text, index) => {
      const segment = current[index] ?? '';
      if (segment === imported[index]) return text;
      return opaqueText.test(segment) ? '…' : segment;
    });
    return `(${method} ${segments.join('/')}).`;
  });
}
