/** The browser's modal dialog: it traps the focus, restores it, and closes on Escape. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from './IconButton';
import './Dialog.css';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title?: ComponentChildren;
  /** Accessible name, for a dialog without a title. */
  label?: string | undefined;
  /** `side` shows details next to a list. */
  placement?: 'center' | 'top' | 'side' | undefined;
  wide?: boolean | undefined;
  /** The dialog has input: a click outside does not close it. */
  dirty?: boolean | undefined;
  footer?: ComponentChildren;
  children: ComponentChildren;
}

export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: DialogProps) {
  const { onClose, title, label, placement = 'center', wide = false, dirty = false, footer, children } = props;
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);

  // close() before removal: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);

  return (
    // The click handler is for the backdrop only; keyboard users press Escape.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <dialog
      ref={element}
      class={`dialog dialog-${placement} ${wide ? 'dialog-wide' : ''}`}
      aria-labelledby={title ? id : undefined}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        // A second Escape closes the dialog without a cancel event.
        if (event.currentTarget.isConnected) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && !dirty && isOutside(event, event.currentTarget)) onClose();
      }}
    >
      {title && (
        <header class="dialog-head">
          <h2 id={id} class="grow">
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
      )}
      <div class={title ? 'dialog-body' : undefined}>{children}</div>
      {footer && <footer class="dialog-foot">{footer}</footer>}
    </dialog>
  );
}

function isOutside(event: MouseEvent, dialog: HTMLDialogElement): boolean {
  const box = dialog.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}
