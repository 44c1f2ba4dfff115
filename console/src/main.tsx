// Before all others, so that the styles of components come after what they build on.
import './style/tokens.css';
import './style/base.css';
import { render } from 'preact';
import { App } from './app/App';
import { startPaletteShortcut } from './app/CommandPalette';
import { startPasteHandler } from './app/quick-add';
import { startRouter } from './app/router';
import { startUnsavedGuard } from './app/unsaved';
import { takeKeyFromAddress } from './session/session';

takeKeyFromAddress();
window.addEventListener('hashchange', takeKeyFromAddress);
startRouter();
startUnsavedGuard();
startPaletteShortcut();
startPasteHandler();

const root = document.getElementById('app');
if (root) render(<App />, root);
