/** Converts prompts between the API and the form. */
import type { NewPrompt, Prompt } from '../api/types';
import { isRawNumber, parseExact } from './exact-json';
import { parseInput } from './input-text';
import { type Argument, argumentsFor, fill } from './template';

export interface PromptForm {
  name: string;
  description: string;
  kind: 'text' | 'messages';
  template: string;
  /** The messages as JSON text. */
  messages: string;
  arguments: Argument[];
}

/** A message as a client receives it. */
export interface PreviewMessage {
  role: string;
  /** Undefined for content other than text, such as an image or a resource. */
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
    // The API validates the messages.
    ...(isText
      ? { template_content: form.template, messages: null }
      : { messages: parseExact(form.messages) as NonNullable<NewPrompt['messages']> }),
  };
}

/** Updates the arguments from the placeholders in the text. */
export function withArguments(form: PromptForm): PromptForm {
  return { ...form, arguments: argumentsOf(form) };
}

/** Why the messages cannot be sent; undefined if they can. */
export function messagesError({ kind, messages }: PromptForm): string | undefined {
  if (kind === 'text') return undefined;
  const parsed = parseInput(messages);
  if ('error' in parsed) return parsed.error;
  return Array.isArray(parsed.value) ? undefined : 'Enter a JSON list of messages.';
}

/** The messages with values filled in; empty without a template. */
export function preview(form: PromptForm, values: Record<string, string>): PreviewMessage[] {
  if (form.kind === 'text') return form.template === '' ? [] : [{ role: 'user', text: fill(form.template, values) }];
  return messagesOf(form.messages).map(({ role, text }) => ({
    role,
    text: text === undefined ? undefined : fill(text, values),
  }));
}

function argumentsOf(form: PromptForm): Argument[] {
  const template = form.kind === 'text' ? form.template : allStrings(parseOr(form.messages, [])).join('\n');
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

/** All strings at any depth: the service fills placeholders in these. */
function allStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null && !isRawNumber(value)
    ? Object.values(value).flatMap(allStrings)
    : [];
}

// biome-ignore lint/suspicious/noExplicitAny: the text is untrusted input; each use checks the type
function parseOr(json: string, fallback: unknown): any {
  try {
    return parseExact(json);
  } catch {
    return fallback;
  }
}
