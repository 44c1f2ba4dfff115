/**
 * Finds values of a YAML text by JSON pointer. It follows the indentation of block style; a value in flow style (`{…}`)
 * is found only as a whole.
 */
import { pointerPart } from './json-lines';

/** Indexes of the first and the last line. */
export type LineIndexes = readonly [first: number, last: number];

interface OpenNode {
  pointer: string;
  isItem: boolean;
  indent: number;
  line: number;
  /** Number of list items read so far. */
  itemCount: number;
}

/** The lines of the pointers in `wanted` that exist. `wanted` must also contain all parents of a pointer. */
export function findYamlLines(text: string, wanted: ReadonlySet<string>): Map<string, LineIndexes> {
  const found = new Map<string, LineIndexes>();
  const open: OpenNode[] = [{ pointer: '#', isItem: false, indent: -1, line: 0, itemCount: 0 }];
  /** The indentation of the key whose text block is being skipped. */
  let textIndent: number | undefined;
  let lastLine = 0;

  const close = (hasEnded: (node: OpenNode) => boolean): OpenNode => {
    for (;;) {
      const node = open.at(-1);
      if (!node || open.length === 1 || !hasEnded(node)) return node ?? rootNode;
      open.pop();
      if (wanted.has(node.pointer)) found.set(node.pointer, [node.line, lastLine]);
    }
  };
  const push = (name: string | number, parent: OpenNode, isItem: boolean, indent: number, line: number) => {
    const isWanted = wanted.has(parent.pointer);
    const pointer = isWanted ? `${parent.pointer}/${pointerPart(name)}` : '';
    open.push({ pointer, isItem, indent, line, itemCount: 0 });
  };

  text.split('\n').forEach((full, line) => {
    const content = full.trim();
    const indent = full.length - full.trimStart().length;
    if (content === '' || (textIndent === undefined && content.startsWith('#'))) return;
    if (textIndent !== undefined && indent > textIndent) {
      lastLine = line;
      return;
    }
    textIndent = undefined;
    let [rest, at] = [content, indent];
    while (rest === '-' || rest.startsWith('- ')) {
      const parent = close((node) => node.indent > at || (node.indent === at && node.isItem));
      push(parent.itemCount++, parent, true, at, line);
      const inner = rest.slice(1).trimStart();
      if (startsTextBlock(inner)) textIndent = at;
      at += rest.length - inner.length;
      rest = inner;
    }
    const key = readKey(rest);
    if (key) {
      const parent = close((node) => node.indent >= at);
      push(key.name, parent, false, at, line);
      if (startsTextBlock(key.value)) textIndent = at;
    }
    lastLine = line;
  });
  close(() => true);
  return found;
}

const rootNode: OpenNode = { pointer: '#', isItem: false, indent: -1, line: 0, itemCount: 0 };

/** Whether a block of text follows: `|`, `>-`. */
function startsTextBlock(value: string): boolean {
  return /^[|>][-+0-9]*\s*(#.*)?$/.test(value);
}

function readKey(content: string): { name: string; value: string } | undefined {
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*:(?:\s+|$)/.exec(content);
  if (quoted) return { name: unquote(quoted[1] ?? ''), value: content.slice(quoted[0].length) };
  if (/^["'{[]/.test(content)) return undefined;
  const at = content.search(/:(\s|$)/);
  return at <= 0 ? undefined : { name: content.slice(0, at).trimEnd(), value: content.slice(at + 1).trim() };
}

function unquote(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
