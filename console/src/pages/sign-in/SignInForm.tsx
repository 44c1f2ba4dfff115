/** Sign-in form. The key is validated before the session starts. */
import { useState } from 'preact/hooks';
import { keyFromPaste } from '../../logic/pasted';
import { validateKey } from '../../session/check-key';
import { signIn, signInError } from '../../session/session';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/TextField';

export function SignInForm() {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(signInError.value);

  const submit = async (event: Event) => {
    event.preventDefault();
    const key = keyFromPaste(text);
    setBusy(true);
    const keyError = await validateKey(key);
    setBusy(false);
    setError(keyError);
    if (keyError === undefined) signIn(key);
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
          setError(undefined);
        }}
        error={error}
        hint="The service prints the key on its first start and stores it in the file admin-key in its data folder."
      />
      <Button variant="primary" type="submit" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
