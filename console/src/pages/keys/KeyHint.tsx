/** How a key begins, to tell it from others. Of a key that somebody chose themselves nothing is told. */
export function KeyHint({ hint }: { hint: string }) {
  return hint === '…' ? null : <code class="muted">{hint}</code>;
}
