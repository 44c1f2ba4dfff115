/** How much response shaping shortens the response: tokens before and after, and whether a part was cut off. */
import type { ToolTestResult } from '../../api/types';
import { formatCount, formatPercent, plural } from '../../logic/format';
import { Badge } from '../../ui/Badge';

type ShapedTokens = NonNullable<ToolTestResult['tokens']>;

export function TokenPane({ tokens }: { tokens: ShapedTokens }) {
  const { before, after } = tokens;
  const saved = before > after ? `${formatPercent(Math.round((1 - after / before) * 100))} less` : 'not shorter';
  return (
    <section class="card test-tokens" aria-label="Tokens">
      <div class="row spread">
        <h2 class="card-title">Tokens</h2>
        <span class="muted small number">{saved}</span>
      </div>
      <dl class="test-token-bars">
        <Bar name="Upstream response" tokens={before} largest={Math.max(before, after)} />
        <Bar name="For the model" tokens={after} largest={Math.max(before, after)} shaped />
      </dl>
      {tokens.overflow_minutes !== undefined && <Overflow minutes={tokens.overflow_minutes} />}
    </section>
  );
}

interface BarProps {
  name: string;
  tokens: number;
  largest: number;
  shaped?: boolean;
}

function Bar({ name, tokens, largest, shaped = false }: BarProps) {
  return (
    <div class="test-token-bar">
      <dt class="small">{name}</dt>
      <dd class="number small">{plural(tokens, 'token')}</dd>
      <dd class="test-token-track" aria-hidden="true">
        <span
          class={shaped ? 'test-token-fill test-token-shaped' : 'test-token-fill'}
          style={{ width: `${largest === 0 ? 0 : Math.max((tokens / largest) * 100, 1)}%` }}
        />
      </dd>
    </div>
  );
}

function Overflow({ minutes }: { minutes: number }) {
  return (
    <p class="row small">
      <Badge tone="warn">Overflow</Badge>
      <span class="muted">
        {minutes === 0
          ? 'A part does not fit into the budget. It is not kept, so models cannot read on.'
          : `A part does not fit into the budget. In a call, the whole response is kept for ${formatCount(minutes)} min, and models read on with read_more.`}
      </span>
    </p>
  );
}
