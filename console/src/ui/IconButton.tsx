/** A button that is only an icon; its label is read out and shown on hover. */
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
