/** The route table. Pages are loaded on first visit. */
import type { ComponentType } from 'preact';
import { matchPath, type Params } from '../logic/route';

/** Props of a page: the ids in its path. */
export interface PageProps<Pattern extends string = string> {
  params: Params<Pattern>;
}

type PageLoader<Pattern extends string> = () => Promise<{ default: ComponentType<PageProps<Pattern>> }>;

export interface Route {
  pattern: string;
  load: PageLoader<string>;
}

function route<Pattern extends string>(pattern: Pattern, load: PageLoader<NoInfer<Pattern>>): Route {
  // matchPath returns exactly the parameters of the pattern, which the types cannot express.
  return { pattern, load: load as PageLoader<string> };
}

const routes: Route[] = [
  route('/', () => import('../pages/home')),
  route('/quick-add', () => import('../pages/quick-add')),
  route('/import', () => import('../pages/import')),
  route('/servers', () => import('../pages/servers')),
  route('/servers/:id', () => import('../pages/server/tools')),
  route('/servers/:id/tools', () => import('../pages/server/tools')),
  route('/servers/:id/import', () => import('../pages/server/import')),
  route('/servers/:id/documents', () => import('../pages/server/documents')),
  route('/servers/:id/documents/:document', () => import('../pages/server/documents/document')),
  route('/servers/:id/prompts', () => import('../pages/server/prompts')),
  route('/servers/:id/resources', () => import('../pages/server/resources')),
  route('/servers/:id/credentials', () => import('../pages/server/credentials')),
  route('/servers/:id/connect', () => import('../pages/server/connect')),
  route('/servers/:id/access', () => import('../pages/server/access')),
  route('/servers/:id/apps', () => import('../pages/server/apps')),
  route('/servers/:id/settings', () => import('../pages/server/settings')),
  route('/servers/:id/tools/new', () => import('../pages/tool-editor/new')),
  route('/servers/:id/tools/:tool', () => import('../pages/tool-editor/edit')),
  route('/servers/:id/tools/:tool/test', () => import('../pages/test-console')),
  route('/calls', () => import('../pages/calls')),
  route('/analytics', () => import('../pages/analytics')),
  route('/keys', () => import('../pages/keys')),
  route('/oauth-clients/:id', () => import('../pages/oauth-clients')),
  route('/my-connections', () => import('../pages/connections')),
  route('/audit', () => import('../pages/audit')),
  route('/settings', () => import('../pages/settings')),
  route('/api', () => import('../pages/api')),
];

// The component gallery is for development; production builds leave it out.
if (import.meta.env.DEV) routes.push(route('/_kit', () => import('../pages/kit')));

export function findRoute(path: string): { route: Route; params: Record<string, number> } | undefined {
  for (const route of routes) {
    const params = matchPath(route.pattern, path);
    if (params) return { route, params };
  }
  return undefined;
}
