import { expect, it } from 'vitest';
import { openPlaceholders } from './open-placeholders';
import { emptyTool, type ToolForm } from './tool-form';

const tool: ToolForm = {
  ...emptyTool,
  endpoint_url: 'https://a.example/bot{token}/{chat}/{kind}/{id}',
  input_schema: { type: 'object', properties: { chat_id: {} } },
  parameter_mapping: {
    chat_id: { location: 'path', name: 'chat' },
    kind: { location: 'path', value: 'text' },
  },
};

it('placeholders without a parameter are missing', () => {
  expect(openPlaceholders(tool, emptyTool)).toEqual({ missing: ['token', 'id'], filledByKey: [] });
});

it('a new key in the path fills its placeholder', () => {
  const credentials = { key_location: 'path', key_name: 'token', key_value: 'k' };
  const form: ToolForm = { ...tool, auth_type: 'api-key', credentials };
  expect(openPlaceholders(form, emptyTool)).toEqual({ missing: ['id'], filledByKey: ['token'] });
  const inHeader = { ...form, credentials: { ...credentials, key_location: 'header' } };
  expect(openPlaceholders(inHeader, emptyTool).missing).toEqual(['token', 'id']);
});

it('a stored key may fill the open placeholders of the stored tool', () => {
  const saved: ToolForm = { ...tool, auth_type: 'api-key', endpoint_url: 'https://a.example/bot{token}' };
  expect(openPlaceholders({ ...tool, auth_type: 'api-key' }, saved)).toEqual({
    missing: ['id'],
    filledByKey: ['token'],
  });
});
