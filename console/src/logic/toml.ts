/** Keys and strings of TOML 1.0. */

export function tomlKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : tomlString(name);
}

/** JSON escapes are valid in TOML; only DEL must be escaped in addition. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}
