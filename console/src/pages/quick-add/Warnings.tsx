/** What the importer has to say. */
import { sortWarnings } from '../../logic/curl-edits';
import { Callout } from '../../ui/Callout';

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  const { blocking, others } = sortWarnings(warnings);
  return (
    <>
      {blocking.length > 0 && (
        <Callout tone="bad">
          <Sentences texts={blocking} />
        </Callout>
      )}
      {others.length > 0 && (
        <Callout tone="warn">
          <Sentences texts={others} />
        </Callout>
      )}
    </>
  );
}

function Sentences({ texts }: { texts: readonly string[] }) {
  return (
    <ul class="quick-add-warnings">
      {texts.map((text, index) => (
        <li key={index}>{text}</li>
      ))}
    </ul>
  );
}
