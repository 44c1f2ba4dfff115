/** The console: the sign-in page for users who are not signed in, else the shell with the current page. */

import SignInPage from '../pages/sign-in';
import { SignInForm } from '../pages/sign-in/SignInForm';
import { type SessionEnd, sessionEnd, sessionKey } from '../session/session';
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
      <SignInAgainDialog />
      <Toasts />
    </>
  );
}

const sessionEndTexts: Record<SessionEnd, string> = {
  expired: 'Your API key has expired. Paste another key to continue here.',
  disabled: 'The user of your API key is disabled. Paste a key of another user to continue here.',
  rejected: 'Your API key was revoked. Paste another key to continue here.',
  ended: 'Your session has ended. Sign in to continue here.',
  'signed-out': 'You signed out in another tab. Sign in to continue with the unsaved changes on this page.',
};

/** A dialog over the page, so that unsaved input on the page is not lost. */
function SignInAgainDialog() {
  // The next rejected request shows the dialog again.
  const hide = () => {
    sessionEnd.value = undefined;
  };
  const end = sessionEnd.value;
  return (
    <Dialog open={end !== undefined} onClose={hide} title="Sign in again">
      <div class="stack">
        <p>{end && sessionEndTexts[end]}</p>
        <SignInForm keepsPage />
      </div>
    </Dialog>
  );
}
