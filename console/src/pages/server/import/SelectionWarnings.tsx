/** Warns if the selection has too many tools or tokens for a model, and suggests tags. */
import { formatCount, plural } from '../../../logic/format';
import type { ValueCount } from '../../../logic/import-filter';
import {
  committedToolsMax,
  type SelectionSums,
  selectedTokensMax,
  selectedToolsMax,
  toolTokensMax,
} from '../../../logic/import-selection';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';

export interface SelectionWarningsProps {
  sums: SelectionSums;
  /** Those with the most operations first. */
  tags: readonly ValueCount[];
  onTag: (tag: string) => void;
  onShowLarge: () => void;
}

const suggestedTagsMax = 8;

export function SelectionWarnings({ sums, tags, onTag, onShowLarge }: SelectionWarningsProps) {
  const reasons = [
    sums.tools > selectedToolsMax && `more than ${selectedToolsMax} tools`,
    sums.tokens > selectedTokensMax && `more than ${formatCount(selectedTokensMax)} tokens`,
  ].filter((reason) => reason !== false);
  const suggested = tags.filter(({ count }) => count <= selectedToolsMax).slice(0, suggestedTagsMax);
  return (
    <div class="stack stack-tight import-warnings">
      {sums.tools > committedToolsMax && (
        <Callout tone="bad">
          A server can have at most {formatCount(committedToolsMax)} tools. Deselect{' '}
          {plural(sums.tools - committedToolsMax, 'operation')}.
        </Callout>
      )}
      {sums.large > 0 && (
        <Callout
          tone="warn"
          action={
            <Button size="small" onClick={onShowLarge}>
              Show
            </Button>
          }
        >
          {plural(sums.large, 'selected tool has', 'selected tools have')} more than {formatCount(toolTokensMax)}{' '}
          tokens. Open {sums.large === 1 ? 'it' : 'them'} to hide arguments or give them fixed values.
        </Callout>
      )}
      {reasons.length > 0 && (
        <Callout tone="warn" title={`The selection has ${reasons.join(' and ')}`}>
          Clients send every tool with each request to the model, and models choose better among few. Select only what
          you need{suggested.length > 0 ? ', for example the operations of one tag:' : '.'}
          {suggested.length > 0 && (
            <div class="row import-tags">
              {suggested.map(({ value, count }) => (
                <Button key={value} size="small" onClick={() => onTag(value)}>
                  {`Only ${value.slice(0, 40)} (${formatCount(count)})`}
                </Button>
              ))}
            </div>
          )}
        </Callout>
      )}
    </div>
  );
}
