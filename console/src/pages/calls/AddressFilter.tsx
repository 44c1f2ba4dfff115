import { useEffect, useState } from 'preact/hooks';
import { setQuery } from '../../app/router';
import { isAddress } from '../../logic/call-origin';
import { TextField } from '../../ui/TextField';

/** Filters by the address of the client as soon as the text is a complete address. */
export function AddressFilter({ address }: { address: string }) {
  const [text, setText] = useState(address);
  useEffect(() => setText(address), [address]);
  const change = (value: string) => {
    setText(value);
    const trimmed = value.trim();
    if (trimmed === '' || isAddress(trimmed)) setQuery({ client_address: trimmed });
  };
  return <TextField label="Client address" hideLabel placeholder="Client address" mono value={text} onValue={change} />;
}
