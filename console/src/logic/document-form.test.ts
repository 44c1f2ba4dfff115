import { expect, it } from 'vitest';
import { documentBody, documentFileName, isDownloadable } from './document-form';

const saved = { name: 'Pets', url: 'https://a.example/', headers: [{ name: 'X-Key', value: '********' }] };

it('only changed fields are sent', () => {
  expect(documentBody(saved, saved)).toEqual({});
  expect(documentBody({ ...saved, name: ' Cats ', url: '' }, saved)).toEqual({ name: 'Cats', url: null });
  const headers = [...saved.headers, { name: 'B', value: '1' }, { name: '', value: '' }];
  expect(documentBody({ ...saved, headers }, saved)).toEqual({ url_headers: { 'X-Key': '********', B: '1' } });
});

it('the file name is made of the name and the type', () => {
  expect(documentFileName('Pet Store — v2', 'application/json')).toBe('pet-store-v2.json');
  expect(documentFileName('日本', 'application/yaml')).toBe('document.yaml');
});

it('formats that may contain credentials cannot be downloaded', () => {
  expect(['openapi', 'swagger', 'postman', 'har'].filter((format) => isDownloadable({ format }))).toEqual([
    'openapi',
    'swagger',
  ]);
});
