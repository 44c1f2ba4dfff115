/** Shows the page of the current URL. The previous page stays until the next one is loaded, to avoid flicker. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/Button';
import { Callout } from '../ui/Callout';
import { NotFound } from './NotFound';
import { currentPath } from './router';
import { findRoute, type PageProps, type Route } from './routes';

interface LoadedPage {
  route: Route;
  params: Record<string, number>;
  Page: ComponentType<PageProps>;
}

const loaded = new Map<Route, ComponentType<PageProps>>();

export function Screen() {
  const path = currentPath.value;
  const [shown, setShown] = useState<LoadedPage>();
  const [failed, setFailed] = useState(false);
  const found = findRoute(path);

  useEffect(() => {
    if (!found) return;
    let current = true;
    const show = (Page: ComponentType<PageProps>) => {
      loaded.set(found.route, Page);
      if (!current) return;
      setFailed(false);
      setShown({ ...found, Page });
    };
    const CachedPage = loaded.get(found.route);
    if (CachedPage) show(CachedPage);
    else
      found.route.load().then(
        (module) => show(module.default),
        () => current && setFailed(true),
      );
    return () => {
      current = false;
    };
  }, [path]);

  if (!found) return <NotFound path={path} />;
  if (failed) return <LoadFailed />;
  if (!shown) return null;
  const { route, params, Page } = shown;
  // The key includes the ids, so that form state never carries over from one object to another.
  return <Page key={route.pattern + JSON.stringify(params)} params={params} />;
}

/** After an update of the service, the file names of the open version no longer exist. */
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
