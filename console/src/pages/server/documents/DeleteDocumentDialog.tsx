/** Deletes a document, with or without its tools. */
import { useState } from 'preact/hooks';
import { remove } from '../../../api/client';
import type { ApiDocument } from '../../../api/types';
import { plural } from '../../../logic/format';
import { Confirm } from '../../../ui/Confirm';
import { RadioCards } from '../../../ui/RadioCards';
import { toast } from '../../../ui/Toast';

export interface DeleteDocumentDialogProps {
  document: ApiDocument;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteDocumentDialog({ document, onDeleted, onClose }: DeleteDocumentDialogProps) {
  const [tools, setTools] = useState<'keep' | 'delete'>('keep');
  const { id, name, tools_count } = document;
  const options = [
    { value: 'keep', label: 'Keep the tools', text: 'They stay as they are, and can no longer be refreshed.' },
    {
      value: 'delete',
      label: 'Delete the tools',
      text: `${plural(tools_count, 'tool')}. Clients that call them get an error.`,
    },
  ] as const;
  return (
    <Confirm
      title="Delete document"
      action={
        tools === 'delete' && tools_count > 0 ? `Delete document and ${plural(tools_count, 'tool')}` : 'Delete document'
      }
      onClose={onClose}
      onConfirm={async () => {
        await remove('/documents/{id}', { path: { id }, query: { tools } });
        onDeleted();
        toast(`Deleted ${name}.`);
      }}
    >
      <div class="stack">
        <p>
          This deletes <strong class="documents-confirm">{name}</strong> and its stored versions. You cannot undo this.
        </p>
        {tools_count > 0 && (
          <RadioCards label="Tools of the document" value={tools} options={options} onValue={setTools} />
        )}
      </div>
    </Confirm>
  );
}
