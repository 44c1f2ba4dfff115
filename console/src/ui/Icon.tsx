/** Icons on a 16 px grid with 1.5 px strokes. They are decorative: a text next to them carries the meaning. */
import './Icon.css';

const shapes = {
  home: 'M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5M6.75 13V9.5h2.5V13',
  server: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01M8 5h3M8 11h3',
  list: 'M2.5 4h.01M2.5 8h.01M2.5 12h.01M5.5 4h8M5.5 8h8M5.5 12h8',
  chart: 'M2.5 2.5v11h11M5 10.5l2.5-3 2 1.5L13 5',
  key: 'M10.5 9a3.5 3.5 0 1 0-3.4-2.65L2.5 11v2.5H5V12h1.5v-1.5L8.2 8.8A3.5 3.5 0 0 0 10.5 9ZM11 5h.01',
  settings: 'M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M10.25 2.75v3.5M5.75 9.75v3.5',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9 3 7 13',
  bolt: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM10.75 10.75 14 14',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-right': 'M6 4l4 4-4 4',
  'chevron-left': 'M10 4 6 8l4 4',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M4.5 2.75v10.5L13 8z',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.75 9h6.5l.75-9M6.75 7v4M9.25 7v4',
  edit: 'M3 13l.75-3L10.5 3.25l2.25 2.25L6 12.25zM9 4.75 11.25 7',
  warning: 'M8 2.5 1.75 13.5h12.5zM8 6.5v3.25M8 11.75h.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.5V11M8 5h.01',
  external: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7',
  drag: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  'arrow-up': 'M8 13V3M4 7l4-4 4 4',
  'arrow-down': 'M8 3v10M4 9l4 4 4-4',
  'arrow-left': 'M13 8H3M7 4 3 8l4 4',
  'sign-out': 'M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6',
  terminal: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8 10h3',
  download: 'M8 2.5v7.5M4.75 7 8 10.25 11.25 7M2.5 13.5h11',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.75V8l2.25 1.5',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6M13.25 2.5v3h-3',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 9.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5Z',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  tool: 'M10 6 13 3a3.75 3.75 0 0 1-4.75 4.75l-4.5 4.5a1.4 1.4 0 0 1-2-2l4.5-4.5A3.75 3.75 0 0 1 11 1z',
  prompt: 'M2.5 3h11v8H7l-3 2.5V11H2.5zM5 6h6M5 8.25h4',
  resource: 'M4 2h5.5L12.5 5v9H4zM9.5 2v3h3M6 8h4.5M6 10.5h4.5',
  plug: 'M6 2v3.5M10 2v3.5M4 5.5h8V8a4 4 0 0 1-8 0zM8 12v2.5',
  users:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5a4.5 4.5 0 0 1 9 0M10.5 2.75a2.5 2.5 0 0 1 0 4.5M12 9.5a4.5 4.5 0 0 1 2.5 4',
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}

export const iconNames = Object.keys(shapes) as IconName[];
