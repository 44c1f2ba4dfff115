/** Finds the lines and the text that JSON pointers refer to in a JSON or YAML document. */
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
  /** Number of the first line; undefined if the text was reformatted because its lines are too long to read. */
  firstLine: number | undefined;
  isCut: boolean;
}

/** Both return the part of the document at a pointer (`#/paths/~1pets/get`), or at its nearest existing parent. */
export interface DocumentLines {
  find: (pointer: string) => LineRange | undefined;
  excerpt: (pointer: string) => Excerpt | undefined;
}

/** In characters. Longer texts would slow down the page. */
const excerptLengthMax = 40_000;
/** In characters. Text with longer lines on average is reformatted, because it is not meant to be read. */
const readableLineLengthMax = 2_000;

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
  const isReadable = lineEnd - lineStart <= readableLineLengthMax * (lineAt(starts, end) - first + 1);
  if (isReadable) return cut(lines, first);
  const parsed = parseJson(`{${text.slice(start, end + 1)}}`);
  return cut(parsed ? prettyJson(parsed.json) : text.slice(start, end + 1), undefined);
}

function cut(text: string, firstLine: number | undefined): Excerpt {
  return { text: text.slice(0, excerptLengthMax), firstLine, isCut: text.length > excerptLengthMax };
}

/** The pointer and its parents, without the root. */
function withParents(pointer: string): string[] {
  const parts: string[] = [];
  for (let rest = pointer; rest.includes('/'); rest = rest.slice(0, rest.lastIndexOf('/'))) parts.push(rest);
  return parts;
}

/** The ranges of the pointers as offsets; findYamlLines returns lines. */
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
