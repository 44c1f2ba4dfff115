/** What somebody without a key sees, whatever the address; the page they asked for comes after it. */
import { useEffect } from 'preact/hooks';
import { SignInForm } from './SignInForm';
import './sign-in.css';

export default function SignInPage() {
  useEffect(() => {
    document.title = 'Sign in · Toolgate';
  }, []);
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <img src="/favicon.svg" width="40" height="40" alt="" />
        <div>
          <h1>Sign in to Toolgate</h1>
          <p class="muted">Turn any HTTP API into tools for AI clients.</p>
        </div>
        <SignInForm />
        <p class="sign-in-note">
          The key stays in this tab and is gone when you close it. Lost it? The link that the service prints when it
          starts signs you in.
        </p>
      </div>
    </main>
  );
}
