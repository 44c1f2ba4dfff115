/** The settings form of a server. */
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
import { DiscoveryCard } from './DiscoveryCard';
import { ShapingCard } from './ShapingCard';
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
          hint="Say what this server is for. Clients receive this text if there are no instructions."
          value={values.description}
          onValue={(description) => set({ description })}
          error={errors.description}
        />
        <TextArea
          label="Instructions"
          optional
          rows={4}
          hint="Explain to the model how to use this server. Clients receive this text when they connect."
          value={values.instructions}
          onValue={(instructions) => set({ instructions })}
          error={errors.instructions}
        />
        <TextField
          label="Slug"
          mono
          hint={
            values.slug === server.slug ? (
              <CopyText text={server.endpoint_url} label="Copy the endpoint URL" />
            ) : (
              'Changing the slug changes the endpoint URL. Update your clients.'
            )
          }
          value={values.slug}
          onValue={(slug) => set({ slug })}
          error={errors.slug}
        />
      </Card>
      <Card title="Limits">
        <TextField
          label="Rate limit (calls per minute)"
          type="number"
          min={0}
          hint="For all clients together. Further calls get status 429. 0 means no limit."
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
          hint="Web origins that may call the endpoint from a browser, one per line. Other clients do not need this."
          value={values.origins}
          onValue={(origins) => set({ origins })}
          error={errors.allowed_origins}
        />
        <Checkbox
          label="Pass traces on to upstreams"
          hint="Adds the headers traceparent and tracestate to requests of traced calls, so that spans of the upstream join the trace."
          checked={values.tracesUpstream}
          onValue={(tracesUpstream) => set({ tracesUpstream })}
        />
      </Card>
      <DiscoveryCard values={values} set={set} errors={errors} />
      <ShapingCard form={values.shaping} onForm={(shaping) => set({ shaping })} error={errors.shaping} />
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
          label="Test credential"
          hint="Replaces the credential of a tool in its test runs, if the authentication type is the same."
          stored={form.stored}
          value={values.credential}
          onValue={(credential) => set({ credential })}
          error={errors.test_credentials}
        />
        <Disclosure summary="Custom settings" open={errors.customSettings !== undefined}>
          <CodeEditor
            label="Custom settings (JSON), stored but not used by Toolgate"
            minLines={4}
            value={values.customSettings}
            onValue={(customSettings) => set({ customSettings })}
            error={errors.customSettings}
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
        {form.dirty && <span class="muted small">Unsaved changes</span>}
      </div>
    </form>
  );
}
