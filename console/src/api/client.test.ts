import { afterEach, expect, it, vi } from 'vitest';
import { get, patch, post, remove } from './client';

const urls: string[] = [];

vi.stubGlobal('fetch', (url: string) => {
  urls.push(url);
  return Promise.resolve(new Response('{}'));
});

afterEach(() => {
  urls.length = 0;
});

it('changes are sent in strict mode, so that the service rejects unknown fields', async () => {
  await post('/servers', { name: 'A' });
  await patch('/servers/{id}', { name: 'B' }, { path: { id: 1 } });
  await remove('/servers/{id}', { path: { id: 1 }, query: { force: true } });
  await post('/tools/import-curl', { curl: 'curl x' }, { query: { infer: true } });
  const base = '/wp-json/toolgate/v1';
  expect(urls).toEqual([
    `${base}/servers?strict=1`,
    `${base}/servers/1?strict=1`,
    `${base}/servers/1?force=true&strict=1`,
    `${base}/tools/import-curl?infer=true&strict=1`,
  ]);
});

it('reads are not sent in strict mode', async () => {
  await get('/servers', { query: { search: 'x', page: undefined } });
  expect(urls).toEqual(['/wp-json/toolgate/v1/servers?search=x']);
});
