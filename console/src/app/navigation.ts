/** Pages listed in the sidebar and the command palette. */
import { isMemberRole, myConnectionsPath } from '../logic/page-access';
import type { IconName } from '../ui/Icon';

export interface Destination {
  href: string;
  label: string;
  /** For the narrow bar of phones, if the label is too long. */
  shortLabel?: string | undefined;
  icon: IconName;
}

const destinations: Destination[] = [
  { href: '/', label: 'Home', icon: 'home' },
  { href: '/servers', label: 'Servers', icon: 'server' },
  { href: '/calls', label: 'Calls', icon: 'list' },
  { href: '/analytics', label: 'Analytics', icon: 'chart' },
  { href: '/keys', label: 'Keys', icon: 'key' },
  { href: myConnectionsPath, label: 'My connections', shortLabel: 'Apps', icon: 'plug' },
  { href: '/audit', label: 'Audit', icon: 'clock' },
  { href: '/settings', label: 'Settings', icon: 'settings' },
  { href: '/api', label: 'API', icon: 'code' },
];

/** The pages for a role; all pages while the role is unknown. */
export function destinationsFor(role: string | undefined): Destination[] {
  return isMemberRole(role) ? destinations.filter(({ href }) => href === myConnectionsPath) : destinations;
}

export function isCurrent(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
