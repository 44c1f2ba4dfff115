// First, so that component styles override these.
import './style/tokens.css';
import './style/base.css';
import { render } from 'preact';
import { App } from './app/App';
import { startPaletteShortcut } from './app/CommandPalette';
import { startPasteHandler } from './app/quick-add';
import { startRouter } from './app/router';
import { startUnsavedGuard } from './app/unsaved';
import { takeKeyFromUrl } from './session/session';

takeKeyFromUrl();
window.addEventListener('hashchange', takeKeyFromUrl);
startRouter();
startUnsavedGuard();
startPaletteShortcut();
startPasteHandler();

const root = document.getElementById('app');
if (root) render(<App />, root);
