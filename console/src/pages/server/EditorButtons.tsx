/** Buttons of the editor of a prompt or resource: save, discard, delete. */
import { useState } from 'preact/hooks';
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';
import { Confirm } from '../../ui/Confirm';
import { toast } from '../../ui/Toast';

export interface EditorButtonsProps {
  noun: 'prompt' | 'resource';
  /** Undefined: a new item. */
  item: { name: string } | undefined;
  canEdit: boolean;
  busy: boolean;
  dirty: boolean;
  /** Errors without a field. */
  general?: string | undefined;
  onCancel: () => void;
  onDelete: () => Promise<unknown>;
}

export function EditorButtons({ noun, item, canEdit, busy, dirty, general, onCancel, onDelete }: EditorButtonsProps) {
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      {general && <Callout tone="bad">{general}</Callout>}
      <div class="row">
        {canEdit && (
          <Button variant="primary" type="submit" busy={busy} disabled={!dirty}>
            {`${item ? 'Save' : 'Create'} ${noun}`}
          </Button>
        )}
        <Button onClick={onCancel}>{dirty ? 'Discard' : 'Close'}</Button>
        {item && canEdit && (
          <span class="server-delete">
            <Button variant="ghost" icon="trash" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </span>
        )}
      </div>
      {deleting && item && (
        <Confirm
          title={`Delete ${noun}`}
          action={`Delete ${noun}`}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await onDelete();
            toast(`Deleted ${item.name}.`);
          }}
        >
          Clients can no longer {noun === 'prompt' ? 'use' : 'read'} <strong class="server-item">{item.name}</strong>.
          You cannot undo this.
        </Confirm>
      )}
    </>
  );
}
