/** Sign-in page, shown at every URL without a key; the requested page follows after sign-in. */
import { useEffect } from 'preact/hooks';
import { browserAddress } from '../../app/router';
import { SignInForm } from './SignInForm';
import './sign-in.css';

export default function SignInPage() {
  useEffect(() => {
    document.title = 'Sign in · Toolgate';
  }, []);
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <img src={browserAddress('/favicon.svg')} width="40" height="40" alt="" />
        <div>
          <h1>Sign in to Toolgate</h1>
          <p class="muted">Turn any HTTP API into tools for AI clients.</p>
        </div>
        <SignInForm />
        <p class="sign-in-note">
          The key stays in the open tabs of the console, until you close them or sign out. Lost your key? Create another
          with <code>toolgate key create --scopes admin</code>.
        </p>
      </div>
    </main>
  );
}
