import { expect, it } from 'vitest';
import { errorFromResponse, toApiError } from './errors';

it('the messages by parameter and the position are read from the response', () => {
  const error = errorFromResponse(400, {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): timeout',
    data: { status: 400, params: { timeout: 'timeout must be between 1 and 300' }, position: { line: 2, column: 7 } },
  });
  expect(error.params).toEqual({ timeout: 'timeout must be between 1 and 300' });
  expect(error.position).toEqual({ line: 2, column: 7 });
});

it('a missing parameter is reported as required', () => {
  const body = { code: 'rest_missing_callback_param', message: 'Missing', data: { params: ['name'] } };
  expect(errorFromResponse(400, body).params).toEqual({ name: 'This is required.' });
});

it('a challenge about an expired key gives the code expired_key', () => {
  const body = { code: 'rest_forbidden', message: 'Sorry, you are not allowed to do that.', data: { status: 401 } };
  const expired = 'Bearer error="invalid_token", error_description="The API key has expired"';
  expect(errorFromResponse(401, body, expired)).toMatchObject({
    code: 'expired_key',
    message: 'Your API key has expired.',
  });
  expect(errorFromResponse(401, body, 'Bearer').code).toBe('rest_forbidden');
});

it('a text about a specific rule is shown, a generic one is replaced', () => {
  const message = (status: number, code: string, text: string) =>
    errorFromResponse(status, { code, message: text }).message;
  const rule = 'Your role in this server is viewer.';
  expect(message(403, 'rest_forbidden', rule)).toBe(rule);
  expect(message(403, 'rest_forbidden', 'Sorry, you are not allowed to do that.')).toContain('does not permit');
  expect(message(401, 'rest_user_disabled', 'The user is disabled.')).toBe('The user is disabled.');
  expect(message(401, 'rest_forbidden', 'Sorry, you are not allowed to do that.')).toContain('was rejected');
});

it('a response that is not from the service is reported by its status', () => {
  expect(errorFromResponse(502, '<html>').message).toBe('The service returned status 502.');
});

it('a missing response is reported as unreachable', () => {
  expect(toApiError(new TypeError('Failed to fetch')).code).toBe('unreachable');
});
