/** What the list of tools costs, next to the name of the server. */
import type { ServerLint } from '../../../api/types';
import { describeListCost } from '../../../logic/lint';

export function ListCost({ lint }: { lint: ServerLint }) {
  if (lint.tools.length === 0) return null;
  return <p class="muted small number">{describeListCost(lint)}</p>;
}
