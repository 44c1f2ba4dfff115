/** A dialog with one form. Errors without a field are shown above the fields. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './Button';
import { Callout } from './Callout';
import { Dialog } from './Dialog';

export interface FormDialogProps {
  title: string;
  /** Label of the submit button. */
  action: string;
  /** The form has input. */
  dirty: boolean;
  /** The mutation that submits the form. */
  request: { busy: boolean; general: string | undefined };
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  children: ComponentChildren;
}

export function FormDialog({ title, action, dirty, request, onSubmit, onClose, children }: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      dirty={dirty}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={id} busy={request.busy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        {request.general && <Callout tone="bad">{request.general}</Callout>}
        {children}
      </form>
    </Dialog>
  );
}
