/** A keyboard shortcut: `Ctrl K`. */
import './Kbd.css';

export function Kbd({ keys }: { keys: string }) {
  return <kbd class="kbd">{keys}</kbd>;
}
