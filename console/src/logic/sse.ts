/** Incremental parser for server-sent events. */

export interface StreamEvent {
  event: string;
  data: string;
}

/** Returns a parser that buffers incomplete events. Comments (heartbeats) and `id:` lines yield no events. */
export function eventReader(): (chunk: string) => StreamEvent[] {
  let rest = '';
  return (chunk) => {
    // A CR at the end stays until the next chunk, which may begin with its LF.
    const blocks = (rest + chunk).replace(/\r\n|\r(?!$)/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(parseBlock).filter((event) => event !== undefined);
  };
}

function parseBlock(block: string): StreamEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}
