/** The upstream request: method, URL, headers and body format. */
import { methodOptions } from '../../logic/http-methods';
import { splitParamError } from '../../logic/param-errors';
import { Card } from '../../ui/Card';
import { KeyValueEditor } from '../../ui/KeyValueEditor';
import { Select } from '../../ui/Select';
import { PlainFields } from './PlainFields';
import { UrlField } from './UrlField';
import type { ToolEditorState } from './use-tool-editor';

export function RequestTab({ editor }: { editor: ToolEditorState }) {
  const { form, change, errors } = editor;
  const { '': headersError, ...headerErrors } = splitParamError('headers', errors.headers);
  return (
    <Card>
      <div class="request-line">
        <Select
          label="Method"
          value={form.http_method}
          options={methodOptions}
          onValue={(http_method) => change({ http_method })}
          error={errors.http_method}
        />
        <UrlField
          value={form.endpoint_url}
          onValue={(endpoint_url) => change({ endpoint_url })}
          error={errors.endpoint_url}
        />
      </div>
      <div class="stack stack-tight">
        <KeyValueEditor
          label="Headers"
          pairs={form.headers}
          onPairs={(headers) => change({ headers })}
          errors={headerErrors}
        />
        {headersError && <p class="field-error">{headersError}</p>}
        <p class="field-hint">
          Sent with every request. Secret values are shown as ********. Leave them unchanged to keep the stored value.
        </p>
      </div>
      <PlainFields editor={editor} tab="request" />
    </Card>
  );
}
