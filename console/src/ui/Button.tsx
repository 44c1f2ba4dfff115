/** A button, or with `href` a link that looks like one. */
import type { ComponentChildren } from 'preact';
import { Link } from '../app/Link';
import { Icon, type IconName } from './Icon';
import './Button.css';

export interface ButtonProps {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined;
  size?: 'small' | 'medium' | undefined;
  icon?: IconName | undefined;
  /** A request is running: the width stays the same, and clicks are ignored. */
  busy?: boolean | undefined;
  disabled?: boolean | undefined;
  type?: 'button' | 'submit' | undefined;
  /** Id of the form to submit, for a button outside of it. */
  form?: string | undefined;
  href?: string | undefined;
  title?: string | undefined;
  autofocus?: boolean | undefined;
  'aria-pressed'?: boolean | undefined;
  'aria-expanded'?: boolean | undefined;
  onClick?: ((event: MouseEvent) => void) | undefined;
  children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const {
    variant = 'secondary',
    size = 'medium',
    icon,
    busy = false,
    disabled = false,
    href,
    onClick,
    children,
    ...rest
  } = props;
  const className = `button button-${variant} button-${size}`;
  const content = (
    <>
      {icon && <Icon name={icon} />}
      <span class="button-text">{children}</span>
    </>
  );
  if (href !== undefined) {
    return (
      <Link class={className} href={href} title={rest.title}>
        {content}
      </Link>
    );
  }
  // A busy button is not `disabled`, because that would remove the focus.
  return (
    <button
      type="button"
      {...rest}
      class={className}
      disabled={disabled}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {content}
    </button>
  );
}
