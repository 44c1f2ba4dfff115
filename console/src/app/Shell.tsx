/** The frame of every page: navigation, actions and content. */
import type { ComponentChildren } from 'preact';
import { pagePath } from '../logic/page-access';
import { useMe } from '../session/me';
import { signOutEverywhere } from '../session/shared-session';
import { Icon } from '../ui/Icon';
import { Kbd } from '../ui/Kbd';
import { paletteOpen } from './CommandPalette';
import { Link } from './Link';
import { destinationsFor, isCurrent } from './navigation';
import { openQuickAdd } from './quick-add';
import { browserAddress, currentPath, navigate } from './router';
import { confirmLeave } from './unsaved';
import './Shell.css';

export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <div class="shell">
      <header class="shell-bar">
        <button type="button" class="shell-skip" onClick={skipToContent}>
          Skip to content
        </button>
        <div class="shell-top">
          <Link class="shell-brand" href="/">
            <img src={browserAddress('/favicon.svg')} width="22" height="22" alt="" />
            Toolgate
          </Link>
          <TopActions />
        </div>
        <Navigation />
        <div class="shell-bottom">
          <SignedInUser />
          <button type="button" class="shell-item" onClick={confirmAndSignOut}>
            <Icon name="sign-out" />
            <span class="shell-label">Sign out</span>
          </button>
        </div>
      </header>
      <main id="content" class="shell-main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function TopActions() {
  const mayWrite = useMe()?.may_write === true;
  const open = () => {
    paletteOpen.value = true;
  };
  return (
    <div class="shell-actions">
      <button type="button" class="shell-item shell-find" onClick={open}>
        <Icon name="search" />
        <span class="shell-label grow">Go to…</span>
        <Kbd keys="Ctrl K" />
      </button>
      {mayWrite && (
        <button type="button" class="shell-item" onClick={() => openQuickAdd()}>
          <Icon name="bolt" />
          <span class="shell-label">Quick add</span>
        </button>
      )}
    </div>
  );
}

/** The name of the user; the tooltip says how the user signed in. */
function SignedInUser() {
  const me = useMe();
  if (!me) return null;
  const signInText =
    me.signed_in_with === 'session' ? 'Signed in on the sign-in page' : `Signed in with the key ${me.key?.name}`;
  return (
    <p class="shell-user" title={signInText}>
      {me.user.name}
    </p>
  );
}

function Navigation() {
  const role = useMe()?.user.role;
  // For a member, `/` shows My connections: that entry is marked as the current page.
  const path = pagePath(role, currentPath.value) ?? currentPath.value;
  return (
    <nav class="shell-nav" aria-label="Pages">
      {destinationsFor(role).map(({ href, label, shortLabel, icon }) => (
        <Link key={href} class="shell-item" href={href} aria-current={isCurrent(href, path) ? 'page' : undefined}>
          <Icon name={icon} />
          <span class={shortLabel ? 'shell-label shell-wide' : 'shell-label'}>{label}</span>
          {shortLabel && <span class="shell-label shell-narrow">{shortLabel}</span>}
        </Link>
      ))}
    </nav>
  );
}

/** Uses a script instead of an anchor: the URL fragment is reserved for the API key of a sign-in link (`#key=`). */
function skipToContent(): void {
  document.getElementById('content')?.focus();
}

async function confirmAndSignOut(): Promise<void> {
  if (!(await confirmLeave())) return;
  if (await signOutEverywhere()) void navigate('/', { replace: true });
}
