import { expect, it } from 'vitest';
import { toCurl } from './curl';

const url = 'https://api.example.com/v1';

it('a plain request is one line', () => {
  expect(toCurl({ method: 'GET', url, headers: {}, body: '' })).toBe(`curl --globoff '${url}'`);
});

it('method, headers and body are included', () => {
  const request = { method: 'PUT', url, headers: { accept: 'application/json', 'x-empty': '' }, body: '{"a":1}' };
  expect(toCurl(request)).toBe(
    `curl --globoff -X PUT '${url}' \\\n  -H 'accept: application/json' \\\n  -H 'x-empty;' \\\n  --data-raw '{"a":1}'`,
  );
});

it('-X is omitted for a POST with a body, and required without one', () => {
  expect(toCurl({ method: 'POST', url, headers: {}, body: 'x' })).not.toContain('-X');
  expect(toCurl({ method: 'POST', url, headers: {}, body: '' })).toContain('-X POST');
  expect(toCurl({ method: 'HEAD', url, headers: {}, body: '' })).toContain('--head');
});

it('shell syntax is quoted', () => {
  const body = `'; rm -rf ~; echo '$(id)`;
  expect(toCurl({ method: 'POST', url, headers: {}, body })).toContain(`--data-raw ''\\''; rm -rf ~; echo '\\''$(id)'`);
});
