/** Warnings of the importer. */
import { splitWarnings } from '../../logic/curl-edits';
import { Callout } from '../../ui/Callout';

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  const { blocking, others } = splitWarnings(warnings);
  return (
    <>
      {blocking.length > 0 && (
        <Callout tone="bad">
          <WarningList texts={blocking} />
        </Callout>
      )}
      {others.length > 0 && (
        <Callout tone="warn">
          <WarningList texts={others} />
        </Callout>
      )}
    </>
  );
}

function WarningList({ texts }: { texts: readonly string[] }) {
  return (
    <ul class="quick-add-warnings">
      {texts.map((text, index) => (
        <li key={index}>{text}</li>
      ))}
    </ul>
  );
}
