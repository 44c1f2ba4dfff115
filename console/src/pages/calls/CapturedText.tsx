/** Captured arguments and response, or how to turn capture on. */
import type { CallDetail } from '../../api/types';
import { Link } from '../../app/Link';
import { Callout } from '../../ui/Callout';
import { JsonView } from '../../ui/JsonView';

export function CapturedText({ call }: { call: CallDetail }) {
  if (!call.captured) return <NotCaptured call={call} />;
  return (
    <>
      <Part title="Arguments" text={call.arguments} />
      <Part title={call.outcome === 'success' ? 'Response' : 'Error sent to the client'} text={call.response} />
    </>
  );
}

function Part({ title, text }: { title: string; text: string | null }) {
  return (
    <section>
      <h3 class="calls-heading">{title}</h3>
      {text === null || text === '' ? <p class="muted">Nothing captured.</p> : <JsonView label={title} value={text} />}
    </section>
  );
}

function NotCaptured({ call }: { call: CallDetail }) {
  return (
    <Callout title="Arguments and response were not captured">
      {call.server_name === null ? (
        'The server was deleted.'
      ) : (
        <>
          Capture is off by default for privacy. Turn it on in{' '}
          <Link href={`/servers/${call.server_id}/settings`}>the server's settings</Link>, for failures or for all
          calls. It applies to new calls, with secrets masked.
        </>
      )}
    </Callout>
  );
}
