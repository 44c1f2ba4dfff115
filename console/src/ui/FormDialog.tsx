/** A dialog that is one form. What is wrong and belongs to none of its fields stands above them. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './Button';
import { Callout } from './Callout';
import { Dialog } from './Dialog';

export interface FormDialogProps {
  title: string;
  /** What the button says. */
  action: string;
  /** Something was typed. */
  dirty: boolean;
  /** What the form is sent by. */
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
