/** Suggests a server name from the API's URL: `https://api.github.com/x` → `Github`. */
export function suggestServerName(url: string): string {
  const host = /^[a-z]+:\/\/([^/?:]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  if (host === '' || /^[\d.]+$|[[{]/.test(host)) return 'My API';
  const labels = host.split('.').filter((label) => label !== '' && !genericLabels.has(label));
  // The label before the suffix. A label of at most three characters is taken as part of the suffix, as in
  // `example.co.uk`.
  const name = labels.length > 1 ? labels.at(-2) : labels[0];
  const nameLabel = name !== undefined && name.length <= 3 && labels.length > 2 ? labels.at(-3) : name;
  if (nameLabel === undefined) return 'My API';
  return nameLabel.charAt(0).toUpperCase() + nameLabel.slice(1);
}

const genericLabels = new Set(['www', 'api', 'localhost']);
