/** "Are you sure?", where there is no way back. What is dear is deleted only by typing its name. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useMutation } from '../api/use-mutation';
import { Button } from './Button';
import { Callout } from './Callout';
import { Dialog } from './Dialog';
import { TextField } from './TextField';

export interface ConfirmProps {
  title: string;
  /** What will happen, in a sentence. */
  children: ComponentChildren;
  /** What the button says: "Delete server". */
  action: string;
  /** To be typed before the button works. */
  name?: string | undefined;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Rendered while it is asked: `{deleting && <Confirm … />}`. Closes itself when `onConfirm` worked, says why where it did not. */
export function Confirm({ title, children, action, name, onConfirm, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const confirm = useMutation(async () => {
    await onConfirm();
    onClose();
  });
  const ready = name === undefined || typed.trim() === name.trim();
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
          <TextField label={`Type ${name} to confirm`} value={typed} onValue={setTyped} placeholder={name} autofocus />
        )}
        {confirm.error && <Callout tone="bad">{confirm.error.message}</Callout>}
      </form>
    </Dialog>
  );
}
