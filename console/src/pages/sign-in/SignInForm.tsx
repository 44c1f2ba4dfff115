/** Ways to sign in: the sign-in page of the service, or an API key, which is validated before the session starts. */
import { useState } from 'preact/hooks';
import { currentPath, currentQuery } from '../../app/router';
import { keyFromPaste } from '../../logic/pasted';
import { hasSignInPage, signInAddress, signInProblem } from '../../session/browser-session';
import { validateKey } from '../../session/check-key';
import { signIn, signInError } from '../../session/session';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/TextField';

/** `keepsPage`: the page has unsaved input, so the sign-in page opens in another tab. */
export function SignInForm({ keepsPage = false }: { keepsPage?: boolean }) {
  return (
    <div class="stack">
      {hasSignInPage.value && <SignInLink keepsPage={keepsPage} />}
      <KeyForm isSecondary={hasSignInPage.value} />
      {signInProblem.value && <p class="sign-in-hint">{signInProblem.value} Until then, sign in with a key.</p>}
    </div>
  );
}

function SignInLink({ keepsPage }: { keepsPage: boolean }) {
  const query = currentQuery.value;
  const address = signInAddress(currentPath.value, query.size > 0 ? `?${query}` : '');
  return (
    <>
      <a class="button button-primary button-medium" href={address} {...(keepsPage ? { target: '_blank' } : {})}>
        <span class="button-text">Sign in</span>
      </a>
      <p class="sign-in-hint">
        {keepsPage
          ? 'Opens in another tab. Come back here afterwards.'
          : 'With your name and password, your organisation’s account, or a key.'}
      </p>
      <p class="sign-in-divider">or use a key, which stays in the open tabs only</p>
    </>
  );
}

function KeyForm({ isSecondary }: { isSecondary: boolean }) {
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
        autofocus={!isSecondary}
        placeholder="tg_…"
        value={text}
        onValue={(value) => {
          setText(value);
          setError(undefined);
        }}
        error={error}
        hint="The service prints the key on its first start and stores it in the file admin-key in its data folder."
      />
      <Button variant={isSecondary ? 'secondary' : 'primary'} type="submit" busy={busy}>
        {isSecondary ? 'Sign in with the key' : 'Sign in'}
      </Button>
    </form>
  );
}
