// Imported first, so that component styles override these global styles.
import './style/tokens.css';
import './style/base.css';
import { render } from 'preact';
import { App } from './app/App';
import { startPaletteShortcut } from './app/CommandPalette';
import { startDropHandler } from './app/import-document';
import { startPasteHandler } from './app/quick-add';
import { startRouter } from './app/router';
import { hasUnsaved, startUnsavedGuard } from './app/unsaved';
import { takeKeyFromUrl } from './session/session';
import { startSharedSession } from './session/shared-session';

takeKeyFromUrl();
window.addEventListener('hashchange', takeKeyFromUrl);
startRouter();
startUnsavedGuard();
startPaletteShortcut();
startPasteHandler();
startDropHandler();

const root = document.getElementById('app');
// Waits for the key of another tab first, so that the sign-in page does not appear for a moment.
void startSharedSession(hasUnsaved).finally(() => {
  if (root) render(<App />, root);
});
