/**
 * Shows the page of the current URL, if the role of the user permits it. The previous page stays until the next one is
 * loaded, to avoid flicker.
 */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pagePath } from '../logic/page-access';
import { Button } from '../ui/Button';
import { Callout } from '../ui/Callout';
import { NotForMembers } from './NotForMembers';
import { NotFound } from './NotFound';
import { currentPath } from './router';
import { findRoute, type PageProps, type Route } from './routes';
import { useRole } from './use-role';

interface LoadedPage {
  route: Route;
  params: Record<string, number>;
  Page: ComponentType<PageProps>;
}

const loadedPages = new Map<Route, ComponentType<PageProps>>();

export function CurrentPage() {
  const { role, isPending } = useRole();
  const path = pagePath(role, currentPath.value);
  if (path === undefined) return <NotForMembers />;
  // No page loads while the role is unknown: a page that the role does not permit would only show errors.
  return isPending ? null : <RoutedPage path={path} />;
}

function RoutedPage({ path }: { path: string }) {
  const [shownPage, setShownPage] = useState<LoadedPage>();
  const [failed, setFailed] = useState(false);
  const match = findRoute(path);

  useEffect(() => {
    if (!match) return;
    let current = true;
    const show = (Page: ComponentType<PageProps>) => {
      loadedPages.set(match.route, Page);
      if (!current) return;
      setFailed(false);
      setShownPage({ ...match, Page });
    };
    const CachedPage = loadedPages.get(match.route);
    if (CachedPage) show(CachedPage);
    else
      match.route.load().then(
        (module) => show(module.default),
        () => current && setFailed(true),
      );
    return () => {
      current = false;
    };
  }, [path]);

  if (!match) return <NotFound path={path} />;
  if (failed) return <LoadFailed />;
  if (!shownPage) return null;
  const { route, params, Page } = shownPage;
  // The key includes the ids, so that form state never carries over from one object to another.
  return <Page key={route.pattern + JSON.stringify(params)} params={params} />;
}

/**
 * Shown if a page's script cannot be loaded, for example because an update of the service replaced the files of the
 * console that is open in the browser.
 */
function LoadFailed() {
  return (
    <Callout
      tone="bad"
      title="Could not load this page"
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      The service does not respond, or it was updated. Reload to continue.
    </Callout>
  );
}
