/** A link within the console. It is an `<a>`, so that it can be copied and opened in a new tab. */
import type { ComponentChildren, JSX } from 'preact';
import { browserAddress, navigate } from './router';

export interface LinkProps {
  href: string;
  class?: string | undefined;
  title?: string | undefined;
  'aria-current'?: 'page' | undefined;
  'aria-label'?: string | undefined;
  onClick?: (() => void) | undefined;
  children: ComponentChildren;
}

export function Link({ href, onClick, children, ...rest }: LinkProps) {
  const follow = (event: JSX.TargetedMouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onClick?.();
    void navigate(href);
  };
  return (
    <a href={browserAddress(href)} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
