/** Confirmation of an action that cannot be undone. With `name`, the user must type the name. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useMutation } from '../api/use-mutation';
import { Button } from './Button';
import { Callout } from './Callout';
import { Dialog } from './Dialog';
import { TextField } from './TextField';

export interface ConfirmProps {
  title: string;
  /** What will happen, in one sentence. */
  children: ComponentChildren;
  /** Label of the button: "Delete server". */
  action: string;
  /** Must be typed to enable the button. */
  name?: string | undefined;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Render it while open: `{deleting && <Confirm … />}`. Closes when `onConfirm` succeeds, otherwise shows the error. */
export function Confirm({ title, children, action, name, onConfirm, onClose }: ConfirmProps) {
  const [typedName, setTypedName] = useState('');
  const confirm = useMutation(async () => {
    await onConfirm();
    onClose();
  });
  const ready = name === undefined || typedName.trim() === name.trim();
  const submit = (event: Event) => {
    event.preventDefault();
    if (ready) void confirm.run();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" type="submit" form="confirm" busy={confirm.busy} disabled={!ready}>
            {action}
          </Button>
        </>
      }
    >
      <form id="confirm" class="stack" onSubmit={submit}>
        <div>{children}</div>
        {name !== undefined && (
          <TextField
            label={`Type ${name} to confirm`}
            value={typedName}
            onValue={setTypedName}
            placeholder={name}
            autofocus
          />
        )}
        {confirm.error && <Callout tone="bad">{confirm.error.message}</Callout>}
      </form>
    </Dialog>
  );
}
