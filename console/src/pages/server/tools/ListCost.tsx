/** What the list of tools costs: `312 tools, 41,220 tokens in every conversation`. */
import type { ServerLint } from '../../../api/types';
import { plural } from '../../../logic/format';

export function ListCost({ lint }: { lint: ServerLint }) {
  if (lint.tools.length === 0) return null;
  return (
    <p class="muted small number">
      {plural(lint.tools.length, 'tool')}, {plural(lint.tokens, 'token')} in every conversation
    </p>
  );
}
