/** A prompt as a form has it, and back. */
import type { NewPrompt, Prompt } from '../api/types';
import { type Argument, argumentsFor, fill } from './template';

export interface PromptForm {
  name: string;
  description: string;
  kind: 'text' | 'messages';
  template: string;
  /** As JSON. */
  messages: string;
  arguments: Argument[];
}

/** What a client gets: one message of the text, or the messages. */
export interface PreviewMessage {
  role: string;
  /** Undefined for what is no text: a picture, a resource. */
  text: string | undefined;
}

const messagesExample = JSON.stringify([{ role: 'user', content: { type: 'text', text: '' } }], null, 2);

export const emptyPrompt: PromptForm = {
  name: '',
  description: '',
  kind: 'text',
  template: '',
  messages: messagesExample,
  arguments: [],
};

export function toPromptForm(prompt: Prompt): PromptForm {
  const form: PromptForm = {
    name: prompt.name,
    description: prompt.description,
    kind: prompt.messages === null ? 'text' : 'messages',
    template: prompt.template_content,
    messages: prompt.messages === null ? messagesExample : JSON.stringify(prompt.messages, null, 2),
    arguments: prompt.arguments.map(readArgument),
  };
  return { ...form, arguments: argumentsOf(form) };
}

export function toPromptBody(form: PromptForm): NewPrompt {
  const isText = form.kind === 'text';
  return {
    name: form.name,
    description: form.description,
    arguments: form.arguments.map(({ values, ...argument }) => ({
      ...argument,
      ...(values.length > 0 ? { values } : {}),
    })),
    ...(isText ? { template_content: form.template, messages: null } : { messages: JSON.parse(form.messages) }),
  };
}

/** The form with its arguments brought in line with what was typed. */
export function withArguments(form: PromptForm): PromptForm {
  return { ...form, arguments: argumentsOf(form) };
}

/** What is wrong with the messages before they are sent. */
export function messagesFault({ kind, messages }: PromptForm): string | undefined {
  if (kind === 'text') return undefined;
  try {
    return Array.isArray(JSON.parse(messages)) ? undefined : 'This has to be a list of messages.';
  } catch (cause) {
    return `This is not JSON: ${cause instanceof Error ? cause.message : cause}`;
  }
}

/** The messages with values in place; empty where there is nothing to show yet. */
export function preview(form: PromptForm, values: Record<string, string>): PreviewMessage[] {
  if (form.kind === 'text') return form.template === '' ? [] : [{ role: 'user', text: fill(form.template, values) }];
  return messagesOf(form.messages).map(({ role, text }) => ({
    role,
    text: text === undefined ? undefined : fill(text, values),
  }));
}

function argumentsOf(form: PromptForm): Argument[] {
  const template = form.kind === 'text' ? form.template : strings(parseOr(form.messages, [])).join('\n');
  return argumentsFor(template, form.arguments);
}

function messagesOf(json: string): PreviewMessage[] {
  const messages = parseOr(json, []);
  if (!Array.isArray(messages)) return [];
  return messages.map((message) => ({
    role: typeof message?.role === 'string' ? message.role : 'user',
    text: typeof message?.content?.text === 'string' ? message.content.text : undefined,
  }));
}

function readArgument({ name, description, required, values }: Record<string, unknown>): Argument {
  return {
    name: String(name),
    description: typeof description === 'string' ? description : '',
    required: required === true,
    values: Array.isArray(values) ? values.map(String) : [],
  };
}

/** The texts that are values, at any depth: these are filled. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

// biome-ignore lint/suspicious/noExplicitAny: whatever somebody is typing; each use looks before it takes
function parseOr(json: string, otherwise: unknown): any {
  try {
    return JSON.parse(json);
  } catch {
    return otherwise;
  }
}
