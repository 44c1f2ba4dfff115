/** Finds values of a JSON text by JSON pointer, without building the values: documents have up to 10 MiB. */

/** Offsets of the first and the last character; those of a member include its name. */
export type TextRange = readonly [start: number, end: number];

/** The ranges of the pointers in `wanted` that exist. `wanted` must also contain all parents of a pointer. */
export function findJsonRanges(text: string, wanted: ReadonlySet<string>): Map<string, TextRange> {
  const finder = new JsonFinder(text, wanted);
  finder.readRoot();
  return finder.found;
}

/** Escapes a member name or an index as a part of a JSON pointer. */
export function pointerPart(name: string | number): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

class JsonFinder {
  readonly found = new Map<string, TextRange>();
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly wanted: ReadonlySet<string>,
  ) {}

  readRoot(): void {
    this.skipSpace();
    this.readValue('#');
  }

  private readValue(pointer: string): void {
    const start = this.text[this.at];
    const isContainer = start === '{' || start === '[';
    if (isContainer && this.wanted.has(pointer)) this.readChildren(pointer, start === '{');
    else this.skipValue();
  }

  private readChildren(pointer: string, isObject: boolean): void {
    this.at += 1;
    for (let index = 0; ; index += 1) {
      this.skipSeparators();
      const next = this.text[this.at];
      if (next === undefined || next === '}' || next === ']') break;
      const from = this.at;
      const name = isObject ? this.readName() : index;
      const child = `${pointer}/${pointerPart(name)}`;
      this.readValue(child);
      if (this.wanted.has(child)) this.found.set(child, [from, this.at - 1]);
      // Invalid JSON may not advance the position: skip a character to avoid an endless loop.
      if (this.at === from) this.at += 1;
    }
    this.at += 1;
  }

  private readName(): string {
    const from = this.at;
    this.skipString();
    const name = this.text.slice(from, this.at);
    this.skipSpace();
    if (this.text[this.at] === ':') this.at += 1;
    this.skipSpace();
    try {
      return String(JSON.parse(name));
    } catch {
      return name;
    }
  }

  /** Skips a value with everything in it. */
  private skipValue(): void {
    let depth = 0;
    do {
      const next = this.text[this.at];
      if (next === undefined) return;
      if (next === '"') this.skipString();
      else {
        if (next === '{' || next === '[') depth += 1;
        if (next === '}' || next === ']') depth -= 1;
        if (depth === 0 && next !== '}' && next !== ']') this.skipLiteral();
        else this.at += 1;
      }
    } while (depth > 0);
  }

  private skipLiteral(): void {
    while (this.at < this.text.length && !/[\s,\]}]/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private skipString(): void {
    this.at += 1;
    for (;;) {
      const end = this.text.indexOf('"', this.at);
      if (end < 0) {
        this.at = this.text.length;
        return;
      }
      let backslashes = 0;
      while (this.text[end - 1 - backslashes] === '\\') backslashes += 1;
      this.at = end + 1;
      if (backslashes % 2 === 0) return;
    }
  }

  private skipSpace(): void {
    while (/\s|\uFEFF/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private skipSeparators(): void {
    while (/[\s,]/.test(this.text[this.at] ?? '')) this.at += 1;
  }
}
