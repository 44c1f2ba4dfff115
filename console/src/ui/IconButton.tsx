/** An icon-only button; its label is its accessible name and tooltip. */
import { Icon, type IconName } from './Icon';
import './IconButton.css';

export interface IconButtonProps {
  icon: IconName;
  label: string;
  disabled?: boolean | undefined;
  onClick: (event: MouseEvent) => void;
}

export function IconButton({ icon, label, disabled = false, onClick }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
