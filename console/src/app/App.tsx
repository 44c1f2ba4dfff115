/** The whole console: the sign-in page for those without a key, the shell with its pages for the others. */

import SignInPage from '../pages/sign-in';
import { SignInForm } from '../pages/sign-in/SignInForm';
import { keyExpired, sessionKey } from '../session/session';
import { Dialog } from '../ui/Dialog';
import { Toasts } from '../ui/Toast';
import { CommandPalette } from './CommandPalette';
import { LeaveDialog } from './LeaveDialog';
import { Screen } from './Screen';
import { Shell } from './Shell';

export function App() {
  if (sessionKey.value === undefined) return <SignInPage />;
  return (
    <>
      <Shell>
        <Screen />
      </Shell>
      <CommandPalette />
      <LeaveDialog />
      <KeyExpiredDialog />
      <Toasts />
    </>
  );
}

/** Over the page rather than in its place: what was typed there is still wanted. */
function KeyExpiredDialog() {
  // The next request that is refused brings it back.
  const hide = () => {
    keyExpired.value = false;
  };
  return (
    <Dialog open={keyExpired.value} onClose={hide} title="Sign in again">
      <div class="stack">
        <p>Your key was revoked or has expired. Paste another one to go on where you are.</p>
        <SignInForm />
      </div>
    </Dialog>
  );
}
