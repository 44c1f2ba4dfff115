/** A name for the server of an API, from its address: `https://api.github.com/x` → `Github`. */
export function suggestServerName(url: string): string {
  const host = /^[a-z]+:\/\/([^/?:]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  if (host === '' || /^[\d.]+$|[[{]/.test(host)) return 'My API';
  const labels = host.split('.').filter((label) => label !== '' && !common.has(label));
  // What is left of the ending: `example.co.uk` is Example.
  const name = labels.length > 1 ? labels.at(-2) : labels[0];
  const chosen = name !== undefined && name.length <= 3 && labels.length > 2 ? labels.at(-3) : name;
  if (chosen === undefined) return 'My API';
  return chosen.charAt(0).toUpperCase() + chosen.slice(1);
}

const common = new Set(['www', 'api', 'localhost']);
