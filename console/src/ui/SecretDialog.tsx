/** Shows a new secret, this once: a click beside it does not close it. */
import { Button } from './Button';
import { Dialog } from './Dialog';
import { SecretOnce } from './SecretOnce';

export interface SecretDialogProps {
  title: string;
  /** What the secret is. */
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
      <SecretOnce label={label} value={value} />
    </Dialog>
  );
}
