import { expect, it } from 'vitest';
import { describeUrl } from './curl-description';

const description = 'Gets a repo from api.example.com (GET /repos/octo/{repo}).';
const imported = 'https://api.example.com/repos/octo/{repo}?a=1';

it('the description follows a segment that becomes an argument, or stops being one', () => {
  expect(describeUrl(description, imported, 'https://api.example.com/repos/{owner}/{repo}')).toBe(
    'Gets a repo from api.example.com (GET /repos/{owner}/{repo}).',
  );
  expect(describeUrl(description, imported, 'https://api.example.com/repos/octo/hello')).toBe(
    'Gets a repo from api.example.com (GET /repos/octo/hello).',
  );
  expect(describeUrl(description, imported, imported)).toBe(description);
});

it('values that look like a token are not repeated', () => {
  expect(describeUrl(description, imported, 'https://api.example.com/repos/octo/a1b2c3d4e5f6a7b8')).toContain(
    'octo/…)',
  );
});

it('a description without the path, or with a part of it, is unchanged', () => {
  const url = 'https://api.example.com/repos/{owner}/{repo}';
  for (const text of ['', 'Gets a repo.', 'Gets a repo (GET /repos/oc…).']) {
    expect(describeUrl(text, imported, url)).toBe(text);
  }
});
