/** Everything about a server that is typed and then saved. */
import type { Server } from '../../../api/types';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { CodeEditor } from '../../../ui/CodeEditor';
import { CopyText } from '../../../ui/CopyButton';
import { Disclosure } from '../../../ui/Disclosure';
import { Checkbox } from '../../../ui/Switch';
import { TextArea } from '../../../ui/TextArea';
import { TextField } from '../../../ui/TextField';
import { CredentialFields } from '../CredentialFields';
import { CaptureCard } from './CaptureCard';
import { useSettings } from './use-settings';

export interface SettingsFormProps {
  server: Server;
  onServer: (server: Server) => void;
}

export function SettingsForm({ server, onServer }: SettingsFormProps) {
  const form = useSettings(server, onServer);
  const { values, set, errors } = form;
  const submit = (event: Event) => {
    event.preventDefault();
    form.save();
  };
  return (
    <form class="stack" noValidate onSubmit={submit}>
      <Card title="General">
        <TextField label="Name" value={values.name} onValue={(name) => set({ name })} error={errors.name} />
        <TextArea
          label="Description"
          optional
          rows={2}
          hint="For people: what this server is for."
          value={values.description}
          onValue={(description) => set({ description })}
          error={errors.description}
        />
        <TextArea
          label="Instructions"
          optional
          rows={4}
          hint="For models: clients are handed this when they connect."
          value={values.instructions}
          onValue={(instructions) => set({ instructions })}
          error={errors.instructions}
        />
        <TextField
          label="Slug"
          mono
          hint={
            values.slug === server.slug ? (
              <CopyText text={server.endpoint_url} label="Copy the endpoint" />
            ) : (
              'The address of the endpoint changes with it: clients have to be told the new one.'
            )
          }
          value={values.slug}
          onValue={(slug) => set({ slug })}
          error={errors.slug}
        />
      </Card>
      <Card title="Limits">
        <TextField
          label="Calls per minute"
          type="number"
          min={0}
          hint="Over all clients; what is more gets 429. 0 is no limit."
          value={values.rateLimit}
          onValue={(rateLimit) => set({ rateLimit })}
          error={errors.rate_limit_per_min}
        />
        <TextArea
          label="Allowed origins"
          optional
          mono
          rows={2}
          placeholder="https://app.example.com"
          hint="Web pages that may call the endpoint from a browser, one on each line. Clients that are no pages need none."
          value={values.origins}
          onValue={(origins) => set({ origins })}
          error={errors.allowed_origins}
        />
        <Checkbox
          label="Show only names of tools that models take"
          hint="A name that models refuse, such as “x (copy)”, is listed as “x_copy”. Calls may use either."
          checked={values.safeNames}
          onValue={(safeNames) => set({ safeNames })}
        />
      </Card>
      <CaptureCard
        mode={values.capture}
        onMode={(capture) => set({ capture })}
        bytes={values.captureBytes}
        onBytes={(captureBytes) => set({ captureBytes })}
        error={errors.capture}
        bytesError={errors.capture_max_bytes}
      />
      <Card title="Testing">
        <CredentialFields
          label="Credential for tests"
          hint="Takes the place of a tool’s own in the test console, where the kind is the same."
          stored={form.stored}
          value={values.credential}
          onValue={(credential) => set({ credential })}
          error={errors.test_credentials}
        />
        <Disclosure summary="Keys of your own" open={errors.others !== undefined}>
          <CodeEditor
            label="Settings that Toolgate keeps and does not look at"
            minLines={4}
            value={values.others}
            onValue={(others) => set({ others })}
            error={errors.others}
          />
        </Disclosure>
      </Card>
      {form.general && <Callout tone="bad">{form.general}</Callout>}
      <div class={form.dirty ? 'row server-settings-save server-settings-dirty' : 'row server-settings-save'}>
        <Button variant="primary" type="submit" busy={form.busy} disabled={!form.dirty}>
          Save changes
        </Button>
        <Button disabled={!form.dirty} onClick={form.discard}>
          Discard
        </Button>
        {form.dirty && <span class="muted small">Not saved yet</span>}
      </div>
    </form>
  );
}
