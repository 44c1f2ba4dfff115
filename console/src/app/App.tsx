/** The console: the sign-in page without a key, the shell with its pages otherwise. */

import SignInPage from '../pages/sign-in';
import { SignInForm } from '../pages/sign-in/SignInForm';
import { keyExpired, sessionKey } from '../session/session';
import { Dialog } from '../ui/Dialog';
import { Toasts } from '../ui/Toast';
import { CommandPalette } from './CommandPalette';
import { CurrentPage } from './CurrentPage';
import { LeaveDialog } from './LeaveDialog';
import { Shell } from './Shell';

export function App() {
  if (sessionKey.value === undefined) return <SignInPage />;
  return (
    <>
      <Shell>
        <CurrentPage />
      </Shell>
      <CommandPalette />
      <LeaveDialog />
      <KeyExpiredDialog />
      <Toasts />
    </>
  );
}

/** A dialog over the page, so that unsaved input on the page is not lost. */
function KeyExpiredDialog() {
  // The next rejected request shows it again.
  const hide = () => {
    keyExpired.value = false;
  };
  return (
    <Dialog open={keyExpired.value} onClose={hide} title="Sign in again">
      <div class="stack">
        <p>Your API key was revoked or has expired. Paste another key to continue here.</p>
        <SignInForm />
      </div>
    </Dialog>
  );
}
