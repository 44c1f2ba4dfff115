/** Arguments and answer, where the server keeps them; else how to have them kept. */
import type { CallDetail } from '../../api/types';
import { Link } from '../../app/Link';
import { Callout } from '../../ui/Callout';
import { JsonView } from '../../ui/JsonView';

export function CapturedText({ call }: { call: CallDetail }) {
  if (!call.captured) return <NotCaptured call={call} />;
  return (
    <>
      <Part title="Arguments" text={call.arguments} />
      <Part title={call.outcome === 'success' ? 'Answer' : 'What the client was told'} text={call.response} />
    </>
  );
}

function Part({ title, text }: { title: string; text: string | null }) {
  return (
    <section>
      <h3 class="calls-heading">{title}</h3>
      {text === null || text === '' ? <p class="muted">Nothing was kept.</p> : <JsonView label={title} value={text} />}
    </section>
  );
}

function NotCaptured({ call }: { call: CallDetail }) {
  return (
    <Callout title="Arguments and answer were not kept">
      {call.server_name === null ? (
        'Its server has been deleted.'
      ) : (
        <>
          For privacy nothing that is said in calls is stored, unless the owner asks for it. Switch capture on in{' '}
          <Link href={`/servers/${call.server_id}/settings`}>the settings of this server</Link>, for failures or for all
          calls: it is kept from then on, with secrets masked.
        </>
      )}
    </Callout>
  );
}
