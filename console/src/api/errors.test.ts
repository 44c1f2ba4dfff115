import { expect, it } from 'vitest';
import { errorFromReply, toApiError } from './errors';

it('faults are kept by parameter', () => {
  const error = errorFromReply(400, {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): timeout',
    data: { status: 400, params: { timeout: 'timeout must be between 1 and 300' }, position: { line: 2, column: 7 } },
  });
  expect(error.params).toEqual({ timeout: 'timeout must be between 1 and 300' });
  expect(error.position).toEqual({ line: 2, column: 7 });
});

it('names of missing parameters say so', () => {
  const body = { code: 'rest_missing_callback_param', message: 'Missing', data: { params: ['name'] } };
  expect(errorFromReply(400, body).params).toEqual({ name: 'This is required.' });
});

it('an answer of somebody else is told by its status', () => {
  expect(errorFromReply(502, '<html>').message).toBe('The service answered with status 502.');
});

it('no answer is told as such', () => {
  expect(toApiError(new TypeError('Failed to fetch')).code).toBe('unreachable');
});
