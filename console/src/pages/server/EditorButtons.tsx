/** Buttons of an editor: save, discard, delete. */
import { Button } from '../../ui/Button';
import { Callout } from '../../ui/Callout';

export interface EditorButtonsProps {
  /** "Create prompt". */
  saveLabel: string;
  busy: boolean;
  dirty: boolean;
  /** Errors without a field. */
  general?: string | undefined;
  onCancel: () => void;
  onDelete?: (() => void) | undefined;
}

export function EditorButtons({ saveLabel, busy, dirty, general, onCancel, onDelete }: EditorButtonsProps) {
  return (
    <>
      {general && <Callout tone="bad">{general}</Callout>}
      <div class="row">
        <Button variant="primary" type="submit" busy={busy} disabled={!dirty}>
          {saveLabel}
        </Button>
        <Button onClick={onCancel}>{dirty ? 'Discard' : 'Close'}</Button>
        {onDelete && (
          <span class="server-delete">
            <Button variant="ghost" icon="trash" onClick={onDelete}>
              Delete
            </Button>
          </span>
        )}
      </div>
    </>
  );
}
