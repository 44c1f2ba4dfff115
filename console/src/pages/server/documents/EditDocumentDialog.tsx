/** Changes the name, the link and the headers of a document. */
import { useState } from 'preact/hooks';
import { patch } from '../../../api/client';
import type { ApiDocument } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { documentBody, documentFields, toDocumentForm } from '../../../logic/document-form';
import { FormDialog } from '../../../ui/FormDialog';
import { KeyValueEditor } from '../../../ui/KeyValueEditor';
import { TextField } from '../../../ui/TextField';
import { toast } from '../../../ui/Toast';

export interface EditDocumentDialogProps {
  saved: ApiDocument;
  onSaved: () => void;
  onClose: () => void;
}

export function EditDocumentDialog({ saved, onSaved, onClose }: EditDocumentDialogProps) {
  const [initial] = useState(() => toDocumentForm(saved));
  const [form, setForm] = useState(initial);
  const save = useMutation(async () => {
    const { data } = await patch('/documents/{id}', documentBody(form, initial), { path: { id: saved.id } });
    toast(`Saved ${data.name}.`);
    onSaved();
    onClose();
  }, documentFields);
  return (
    <FormDialog
      title="Edit document"
      action="Save document"
      dirty={form !== initial}
      request={save}
      onSubmit={save.run}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autofocus
        value={form.name}
        onValue={(name) => setForm({ ...form, name })}
        error={save.fields.name}
      />
      <TextField
        label="Link"
        optional
        mono
        placeholder="https://api.example.com/openapi.json"
        hint="Refresh fetches the document from here. Without a link, you upload the new version yourself."
        value={form.url}
        onValue={(url) => setForm({ ...form, url })}
        error={save.fields.url}
      />
      <KeyValueEditor
        label="Headers for the link"
        pairs={form.headers}
        onPairs={(headers) => setForm({ ...form, headers })}
      />
      <p class={save.fields.url_headers ? 'field-error' : 'muted small'}>
        {save.fields.url_headers ?? 'Stored values are never shown. Leave ******** to keep a value.'}
      </p>
    </FormDialog>
  );
}
