import { afterEach, expect, it } from 'vitest';
import { connectTabs, type SessionTabs, type TabSession } from './tabs';

interface TestTab extends TabSession {
  current: string | undefined;
  tabs: SessionTabs;
}

const opened: TestTab[] = [];

function openTab(current: string | undefined, activeAt = 0, installation = '/api'): TestTab {
  const tab = {
    current,
    key: () => tab.current,
    activeAt: () => activeAt,
    onKey: (key: string) => {
      tab.current = key;
    },
    onSignOut: () => {
      tab.current = undefined;
    },
  } as TestTab;
  tab.tabs = connectTabs(installation, tab);
  opened.push(tab);
  return tab;
}

afterEach(() => {
  for (const { tabs } of opened.splice(0)) tabs.close();
});

it('a new tab gets the key of the tab that was used last', async () => {
  openTab('tg_older', 1);
  openTab('tg_latest', 3);
  openTab('tg_old', 2);
  const added = openTab(undefined);
  await added.tabs.requestKey();
  expect(added.current).toBe('tg_latest');
});

it('tabs without a key and tabs of another installation do not answer', async () => {
  openTab(undefined);
  openTab('');
  openTab('tg_other', 1, '/gate/api');
  const added = openTab(undefined);
  await added.tabs.requestKey();
  expect(added.current).toBeUndefined();
});

it('an answer goes only to the tab that asked', async () => {
  openTab('tg_key');
  const waiting = openTab(undefined);
  const added = openTab(undefined);
  await added.tabs.requestKey();
  expect([waiting.current, added.current]).toEqual([undefined, 'tg_key']);
});

it('a key that arrived in another way is not replaced', async () => {
  openTab('tg_key');
  const added = openTab(undefined);
  const requested = added.tabs.requestKey();
  added.current = 'tg_pasted';
  await requested;
  expect(added.current).toBe('tg_pasted');
});

it('signing out ends the session of all tabs', async () => {
  const others = [openTab('tg_one'), openTab('tg_two')];
  const last = openTab('tg_one');
  last.tabs.announceSignOut();
  await expect.poll(() => others.map(({ current }) => current)).toEqual([undefined, undefined]);
  expect(last.current).toBe('tg_one');
});
