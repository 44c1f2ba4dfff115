/** The page that belongs to the address. The last one stays until the next is there, so that nothing flickers. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/Button';
import { Callout } from '../ui/Callout';
import { NotFound } from './NotFound';
import { currentPath } from './router';
import { findRoute, type PageProps, type Route } from './routes';

interface Shown {
  route: Route;
  params: Record<string, number>;
  Page: ComponentType<PageProps>;
}

const loaded = new Map<Route, ComponentType<PageProps>>();

export function Screen() {
  const path = currentPath.value;
  const [shown, setShown] = useState<Shown>();
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
    const Known = loaded.get(found.route);
    if (Known) show(Known);
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
  // Another object is another page: nothing typed for one may show up in the other.
  return <Page key={route.pattern + JSON.stringify(params)} params={params} />;
}

/** A new version of the service has other files than the page that is open. */
function LoadFailed() {
  return (
    <Callout
      tone="bad"
      title="This page could not be loaded"
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      The service does not answer, or was updated meanwhile.
    </Callout>
  );
}
