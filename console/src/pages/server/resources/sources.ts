/** Labels of the resource sources. */
import type { Source } from '../../../logic/resource-form';
import type { RadioCard } from '../../../ui/RadioCards';

export const sourceOptions: readonly RadioCard<Source>[] = [
  { value: 'static', label: 'Text', text: 'Content that you write here.' },
  { value: 'url', label: 'URL', text: 'The response of a URL, fetched when a client reads the resource.' },
  { value: 'wp_query', label: 'WordPress', text: 'Posts of a site, from its REST API.' },
  { value: 'dynamic', label: 'Tool', text: 'The result of a tool of this server.' },
];

export function sourceLabel(type: string): string {
  return sourceOptions.find(({ value }) => value === type)?.label ?? type;
}
