import { expect, it } from 'vitest';
import type { Prompt } from '../api/types';
import { emptyPrompt, messagesError, preview, toPromptBody, toPromptForm, withArguments } from './prompt-form';

const prompt: Prompt = {
  id: 1,
  server_id: 1,
  name: 'packing_list',
  description: 'What to pack',
  arguments: [{ name: 'city', description: 'Where to', required: true, values: ['Oslo'] }],
  template_content: '{{days}} days in {{city}}',
  messages: null,
  created_at: '2026-11-15T00:00:00',
  updated_at: '2026-11-15T00:00:00',
};

it('a text prompt round-trips', () => {
  const body = toPromptBody(toPromptForm(prompt));
  expect(body).toMatchObject({ name: 'packing_list', template_content: prompt.template_content, messages: null });
  expect(body.arguments).toEqual([
    { name: 'days', description: '', required: true },
    { name: 'city', description: 'Where to', required: true, values: ['Oslo'] },
  ]);
});

it('messages round-trip, and their placeholders become arguments', () => {
  const messages: Prompt['messages'] = [{ role: 'user', content: { type: 'text', text: 'Hi {{who}}' } }];
  const form = toPromptForm({ ...prompt, messages, template_content: '', arguments: [] });
  expect(form.arguments.map(({ name }) => name)).toEqual(['who']);
  expect(toPromptBody(form).messages).toEqual(messages);
  expect(toPromptBody(form)).not.toHaveProperty('template_content');
  expect(preview(form, { who: 'Ada' })).toEqual([{ role: 'user', text: 'Hi Ada' }]);
});

it('arguments follow the template', () => {
  const form = withArguments({ ...emptyPrompt, template: 'In {{city}}' });
  expect(form.arguments.map(({ name }) => name)).toEqual(['city']);
  expect(preview(form, { city: 'Oslo' })).toEqual([{ role: 'user', text: 'In Oslo' }]);
  expect(preview(emptyPrompt, {})).toEqual([]);
});

it('incomplete messages are tolerated', () => {
  for (const messages of ['[{"role"', '{}', '[null, 1, {"content": {"type": "image"}}]', '""']) {
    const form = withArguments({ ...emptyPrompt, kind: 'messages', messages });
    expect(preview(form, {}).every(({ text }) => text === undefined)).toBe(true);
  }
  expect(messagesError({ ...emptyPrompt, kind: 'messages', messages: '[' })).toMatch(/not valid JSON/);
  expect(messagesError({ ...emptyPrompt, kind: 'messages', messages: '{}' })).toMatch(/list/);
  expect(messagesError({ ...emptyPrompt, messages: '[' })).toBeUndefined();
});

it.runIf('rawJSON' in JSON)('long numbers in messages keep their digits', () => {
  const messages = '[{"role":"user","content":{"type":"text","text":"Hi {{who}}","id":12345678901234567890}}]';
  const form = withArguments({ ...emptyPrompt, kind: 'messages', messages });
  expect(JSON.stringify(toPromptBody(form).messages)).toBe(messages);
  expect(form.arguments.map(({ name }) => name)).toEqual(['who']);
});
