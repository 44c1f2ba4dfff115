/** The tokens that the list of tools costs, below the address of the server. */
import type { ServerLint } from '../../../api/types';
import { describeListCost } from '../../../logic/lint';

export function ListCost({ lint }: { lint: ServerLint }) {
  if (lint.tools.length === 0) return null;
  return <p class="muted small number">{describeListCost(lint)}</p>;
}
