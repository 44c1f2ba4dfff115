/** A cell that is typed into: it shows what is typed as long as it has the focus, then what that became. */
import { useState } from 'preact/hooks';
import { TextField } from '../../ui/TextField';

export interface CellInputProps {
  label: string;
  value: string;
  onText: (text: string) => void;
  placeholder?: string | undefined;
  error?: string | undefined;
  mono?: boolean | undefined;
  disabled?: boolean | undefined;
}

export function CellInput({ value, onText, ...rest }: CellInputProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      {...rest}
      hideLabel
      value={typed ?? value}
      onValue={(text) => {
        setTyped(text);
        onText(text);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
