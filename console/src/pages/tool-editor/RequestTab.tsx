/** What is sent: method, address, headers, and how the body is written. */
import { splitFault } from '../../logic/param-faults';
import { Card } from '../../ui/Card';
import { KeyValueEditor } from '../../ui/KeyValueEditor';
import { Select } from '../../ui/Select';
import { UrlField } from './UrlField';
import type { ToolEditorState } from './use-tool-editor';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((value) => ({ value, label: value }));

const bodyTypes = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form (application/x-www-form-urlencoded)' },
  { value: 'multipart', label: 'Multipart form' },
  { value: 'raw', label: 'Raw: the one body argument as it is' },
];

export function RequestTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, faults } = editor;
  const { '': headersFault, ...headerFaults } = splitFault('headers', faults.headers);
  return (
    <Card>
      <div class="request-line">
        <Select
          label="Method"
          value={form.method}
          options={methods}
          onValue={(method) => change({ method })}
          error={faults.http_method}
        />
        <UrlField
          value={form.endpointUrl}
          onValue={(endpointUrl) => change({ endpointUrl })}
          error={faults.endpoint_url}
        />
      </div>
      <div class="stack stack-tight">
        <KeyValueEditor
          label="Headers"
          pairs={form.headers}
          onPairs={(headers) => change({ headers })}
          errors={headerFaults}
        />
        {headersFault && <p class="field-error">{headersFault}</p>}
        <p class="field-hint">
          Sent with every call. Secret values read ********: leave that to keep what is stored, or type over it.
        </p>
      </div>
      <Select
        label="Body"
        value={form.bodyType}
        options={bodyTypes}
        onValue={(bodyType) => change({ bodyType })}
        error={faults.body_type}
        hint="How arguments are written that go to the body."
      />
    </Card>
  );
}
