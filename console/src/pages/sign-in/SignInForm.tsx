/** Paste a key. It is tried before it is taken, so that what is wrong is said here and now. */
import { useState } from 'preact/hooks';
import { keyFromPaste } from '../../logic/pasted';
import { faultOfKey } from '../../session/check-key';
import { refusal, signIn } from '../../session/session';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/TextField';

export function SignInForm() {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState(refusal.value);

  const submit = async (event: Event) => {
    event.preventDefault();
    const key = keyFromPaste(text);
    setBusy(true);
    const found = await faultOfKey(key);
    setBusy(false);
    setFault(found);
    if (found === undefined) signIn(key);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <TextField
        label="API key"
        type="password"
        mono
        autofocus
        placeholder="tg_…"
        value={text}
        onValue={(value) => {
          setText(value);
          setFault(undefined);
        }}
        error={fault}
        hint="The service prints it at its first start, and keeps it in the file admin-key of its data folder."
      />
      <Button variant="primary" type="submit" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
