/** Lists tools with long texts: models follow texts of the document as instructions. */
import { type Candidate, longestText, longTextMin } from '../../../logic/api-import';
import { formatCount, plural } from '../../../logic/format';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';

const namesMax = 5;

export function LongTexts({ candidates, onShow }: { candidates: readonly Candidate[]; onShow: () => void }) {
  const long = candidates
    .map((candidate) => ({ name: candidate.name, length: longestText(candidate) }))
    .filter(({ length }) => length > longTextMin);
  if (long.length === 0) return null;
  return (
    <Callout
      tone="warn"
      title={`${plural(long.length, 'tool')} with a text of more than ${formatCount(longTextMin)} characters`}
      action={
        <Button size="small" onClick={onShow}>
          Show
        </Button>
      }
    >
      Models follow texts of the document as instructions. Read these before you import them:{' '}
      {long
        .slice(0, namesMax)
        .map(({ name, length }) => `${name} (${formatCount(length)})`)
        .join(', ')}
      {long.length > namesMax ? ', …' : '.'}
    </Callout>
  );
}
