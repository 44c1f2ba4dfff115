/** Suggests a server name from the API's URL: `https://api.github.com/x` → `Github`. */
export function suggestServerName(url: string): string {
  const host = /^[a-z]+:\/\/([^/?:]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  if (host === '' || /^[\d.]+$|[[{]/.test(host)) return 'My API';
  const labels = host.split('.').filter((label) => label !== '' && !genericLabels.has(label));
  // The label before the suffix: `example.co.uk` gives Example.
  const name = labels.length > 1 ? labels.at(-2) : labels[0];
  const chosen = name !== undefined && name.length <= 3 && labels.length > 2 ? labels.at(-3) : name;
  if (chosen === undefined) return 'My API';
  return chosen.charAt(0).toUpperCase() + chosen.slice(1);
}

const genericLabels = new Set(['www', 'api', 'localhost']);
