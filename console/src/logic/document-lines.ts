/** Positions in a document: the lines of JSON pointers, in JSON and YAML. */
import { findJsonRanges } from './json-lines';
import { findYamlLines } from './yaml-lines';

/** Lines from 1. */
export interface LineRange {
  first: number;
  last: number;
}

export interface DocumentLines {
  lines: readonly string[];
  /** The lines of a pointer such as `#/paths/~1pets/get`, or of the nearest part of the document that contains it. */
  find: (pointer: string) => LineRange | undefined;
}

/** Finds all pointers in one pass. */
export function indexDocument(text: string, pointers: Iterable<string>): DocumentLines {
  const wanted = new Set<string>(['#']);
  for (const pointer of pointers) for (const part of withParents(pointer)) wanted.add(part);
  const lines = text.split('\n');
  const isJson = /^\s*[{[]/.test(text.replace(/^\uFEFF/, ''));
  const ranges = isJson ? jsonLines(text, wanted) : yamlLines(text, wanted);
  return {
    lines,
    find: (pointer) => {
      const found = withParents(pointer).find((part) => ranges.has(part));
      return found === undefined ? undefined : ranges.get(found);
    },
  };
}

/** The pointer and its parents, without the root. */
function withParents(pointer: string): string[] {
  const parts: string[] = [];
  for (let rest = pointer; rest.includes('/'); rest = rest.slice(0, rest.lastIndexOf('/'))) parts.push(rest);
  return parts;
}

function jsonLines(text: string, wanted: ReadonlySet<string>): Map<string, LineRange> {
  const starts = lineStarts(text);
  const ranges = [...findJsonRanges(text, wanted)];
  return new Map(
    ranges.map(([pointer, [start, end]]) => [pointer, { first: lineAt(starts, start), last: lineAt(starts, end) }]),
  );
}

function yamlLines(text: string, wanted: ReadonlySet<string>): Map<string, LineRange> {
  const found = [...findYamlLines(text, wanted)];
  return new Map(found.map(([pointer, [first, last]]) => [pointer, { first: first + 1, last: last + 1 }]));
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
