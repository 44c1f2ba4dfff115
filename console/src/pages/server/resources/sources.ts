/** Where the content of a resource can come from, in words. */
import type { Source } from '../../../logic/resource-form';
import type { RadioCard } from '../../../ui/RadioCards';

export const sourceOptions: readonly RadioCard<Source>[] = [
  { value: 'static', label: 'Text', text: 'Written here.' },
  { value: 'url', label: 'URL', text: 'Fetched whenever it is read.' },
  { value: 'wp_query', label: 'WordPress', text: 'Posts of a site, by its REST API.' },
  { value: 'dynamic', label: 'Tool', text: 'What a tool of this server answers.' },
];

export function sourceLabel(type: string): string {
  return sourceOptions.find(({ value }) => value === type)?.label ?? type;
}
