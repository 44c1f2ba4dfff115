/** First run: a field for a curl command, and the demo server as an alternative. */
import { useState } from 'preact/hooks';
import { useMutation } from '../../api/use-mutation';
import { openQuickAdd } from '../../app/quick-add';
import { navigate } from '../../app/router';
import { looksLikeCurl } from '../../logic/pasted';
import { useMe } from '../../session/me';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { PageHeader } from '../../ui/PageHeader';
import { TextArea } from '../../ui/TextArea';
import { addDemo } from './add-demo';
import './first-run.css';

export function FirstRun() {
  const me = useMe();
  return (
    <div class="first-run">
      <PageHeader title="Create your first tool" description="All you need is a working curl command." />
      <PasteForm />
      {me?.may_administer !== false && <DemoOffer />}
    </div>
  );
}

function PasteForm() {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '') openQuickAdd(text);
  };
  /** A pasted command is submitted immediately. */
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '' || !looksLikeCurl(pasted)) return;
    event.preventDefault();
    openQuickAdd(pasted);
  };
  return (
    <form class="first-run-card" onSubmit={submit}>
      <TextArea
        label="Paste a curl command"
        mono
        autofocus
        rows={6}
        placeholder="curl 'https://api.example.com/v1/weather?city=Bern' -H 'Authorization: Bearer …'"
        hint="Copy a command from a terminal, API documentation or your browser (Network → Copy as cURL). Toolgate parses it and never runs it."
        value={text}
        onValue={setText}
        onPaste={onPaste}
      />
      <div class="row row-end">
        <Button variant="primary" type="submit" icon="bolt" disabled={text.trim() === ''}>
          Create tool
        </Button>
      </div>
    </form>
  );
}

function DemoOffer() {
  const add = useMutation(addDemo);
  const run = async () => {
    const server = await add.run();
    if (server) void navigate(`/servers/${server.id}/tools`);
  };
  return (
    <div class="first-run-demo">
      <div class="grow">
        <p class="first-run-title">No command at hand?</p>
        <p class="muted small">
          The demo is a small book shop with a built-in API. You can call its tools immediately, even without a network.
        </p>
      </div>
      <Button busy={add.busy} onClick={run}>
        Add the demo server
      </Button>
      {add.general && <Callout tone="bad">{add.general}</Callout>}
    </div>
  );
}
