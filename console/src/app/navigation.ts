/** Pages listed in the sidebar and the command palette. */
import type { IconName } from '../ui/Icon';

export interface Destination {
  href: string;
  label: string;
  icon: IconName;
}

export const destinations: Destination[] = [
  { href: '/', label: 'Home', icon: 'home' },
  { href: '/servers', label: 'Servers', icon: 'server' },
  { href: '/calls', label: 'Calls', icon: 'list' },
  { href: '/analytics', label: 'Analytics', icon: 'chart' },
  { href: '/keys', label: 'Keys', icon: 'key' },
  { href: '/audit', label: 'Audit', icon: 'clock' },
  { href: '/settings', label: 'Settings', icon: 'settings' },
  { href: '/api', label: 'API', icon: 'code' },
];

export function isCurrent(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
