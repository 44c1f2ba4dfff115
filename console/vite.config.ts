import { defineConfig } from 'vitest/config';

/** The service that the development server proxies to; in production the console and the API share an origin. */
const service = process.env.TOOLGATE_URL ?? 'http://127.0.0.1:8080';
const proxy = { '/wp-json': service, '/mcp': service, '/signin': service, '/signout': service };

/** The policy that the service sends, so that `npm run preview` fails where production would. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export default defineConfig({
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    assetsDir: 'assets',
    // The policy above forbids inlined files and the inline script of the preload polyfill.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  experimental: {
    // The service adds the path of its public address to the page. Scripts and styles load files by relative URLs, so
    // they need no change.
    renderBuiltUrl: (_fileName, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy, headers: { 'Content-Security-Policy': contentSecurityPolicy } },
  test: { include: ['src/**/*.test.ts'] },
});
