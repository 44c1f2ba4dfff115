/** The browser's own modal dialog: it keeps the focus, gives it back, and closes on Escape. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from './IconButton';
import './Dialog.css';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title?: ComponentChildren;
  /** In place of a title that is shown. */
  label?: string | undefined;
  /** `side` is for details beside a list. */
  placement?: 'center' | 'top' | 'side' | undefined;
  wide?: boolean | undefined;
  /** Something was typed: a click beside the dialog does not close it. */
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

  // Closed before it is taken away: only then does the focus go back to where it was.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);

  return (
    // The keyboard has Escape; the click is for the backdrop alone.
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
        // By the browser itself, which on a second Escape does not ask.
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
