/** Editable table cell: shows the typed text while focused, then the applied value. */
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
