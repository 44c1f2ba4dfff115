/** Does something (a button) or goes somewhere (a link that looks like one). */
import type { ComponentChildren } from 'preact';
import { Link } from '../app/Link';
import { Icon, type IconName } from './Icon';
import './Button.css';

export interface ButtonProps {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined;
  size?: 'small' | 'medium' | undefined;
  icon?: IconName | undefined;
  /** Something is on its way: the button keeps its width and takes no second click. */
  busy?: boolean | undefined;
  disabled?: boolean | undefined;
  type?: 'button' | 'submit' | undefined;
  /** Id of the form that it submits from outside. */
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
  const look = `button button-${variant} button-${size}`;
  const content = (
    <>
      {icon && <Icon name={icon} />}
      <span class="button-text">{children}</span>
    </>
  );
  if (href !== undefined) {
    return (
      <Link class={look} href={href} title={rest.title}>
        {content}
      </Link>
    );
  }
  // Not `disabled` while busy: that would take the focus away.
  return (
    <button
      type="button"
      {...rest}
      class={look}
      disabled={disabled}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {content}
    </button>
  );
}
