/** Positions in a document: the lines and the text of JSON pointers, in JSON and YAML. */
import { parseJson, prettyJson } from './json';
import { findJsonRanges } from './json-lines';
import { findYamlLines } from './yaml-lines';

/** Lines from 1. */
export interface LineRange {
  first: number;
  last: number;
}

/** A part of a document. */
export interface Excerpt {
  text: string;
  /** Number of the first line; undefined if the text is formatted, because the document has everything in one line. */
  firstLine: number | undefined;
  isCut: boolean;
}

/** Both return the nearest part of the document that contains the pointer, such as `#/paths/~1pets/get`. */
export interface DocumentLines {
  find: (pointer: string) => LineRange | undefined;
  excerpt: (pointer: string) => Excerpt | undefined;
}

/** Longer texts would slow down the page. */
const excerptMax = 40_000;
/** A document with longer lines is not meant to be read. */
const readableLineMax = 2_000;

/** Finds all pointers in one pass. */
export function indexDocument(text: string, pointers: Iterable<string>): DocumentLines {
  const wanted = new Set<string>(['#']);
  for (const pointer of pointers) for (const part of withParents(pointer)) wanted.add(part);
  const starts = lineStarts(text);
  const isJson = /^\s*[{[]/.test(text.replace(/^\uFEFF/, ''));
  const ranges = isJson ? findJsonRanges(text, wanted) : yamlRanges(text, wanted, starts);
  const nearest = (pointer: string) => {
    const found = withParents(pointer).find((part) => ranges.has(part));
    return found === undefined ? undefined : ranges.get(found);
  };
  return {
    find: (pointer) => {
      const range = nearest(pointer);
      return range && { first: lineAt(starts, range[0]), last: lineAt(starts, range[1]) };
    },
    excerpt: (pointer) => {
      const range = nearest(pointer);
      return range && excerptOf(text, starts, range);
    },
  };
}

function excerptOf(text: string, starts: readonly number[], [start, end]: readonly [number, number]): Excerpt {
  const first = lineAt(starts, start);
  const lineStart = starts[first - 1] ?? 0;
  const lineEnd = starts[lineAt(starts, end)] ?? text.length + 1;
  const lines = text.slice(lineStart, lineEnd - 1);
  const isReadable = lineEnd - lineStart <= readableLineMax * (lineAt(starts, end) - first + 1);
  if (isReadable) return cut(lines, first);
  const parsed = parseJson(`{${text.slice(start, end + 1)}}`);
  return cut(parsed ? prettyJson(parsed.json) : text.slice(start, end + 1), undefined);
}

function cut(text: string, firstLine: number | undefined): Excerpt {
  return { text: text.slice(0, excerptMax), firstLine, isCut: text.length > excerptMax };
}

/** The pointer and its parents, without the root. */
function withParents(pointer: string): string[] {
  const parts: string[] = [];
  for (let rest = pointer; rest.includes('/'); rest = rest.slice(0, rest.lastIndexOf('/'))) parts.push(rest);
  return parts;
}

/** The lines as offsets. */
function yamlRanges(
  text: string,
  wanted: ReadonlySet<string>,
  starts: readonly number[],
): Map<string, readonly [number, number]> {
  const offsets = ([first, last]: readonly [number, number]) =>
    [starts[first] ?? 0, (starts[last + 1] ?? text.length + 1) - 2] as const;
  return new Map([...findYamlLines(text, wanted)].map(([pointer, lines]) => [pointer, offsets(lines)]));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The number of the line with this offset, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
