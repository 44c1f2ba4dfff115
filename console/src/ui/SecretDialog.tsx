/** Shows a new secret once; a click outside does not close it. */
import { Button } from './Button';
import { Dialog } from './Dialog';
import { OneTimeSecret } from './OneTimeSecret';

export interface SecretDialogProps {
  title: string;
  /** "API key". */
  label: string;
  value: string;
  onClose: () => void;
}

export function SecretDialog({ title, label, value, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open
      dirty
      onClose={onClose}
      title={title}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <OneTimeSecret label={label} value={value} />
    </Dialog>
  );
}
