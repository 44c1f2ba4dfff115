import type { Tool } from '../../../api/types';

export const statusOptions = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
] as const;

export type ToolStatus = (typeof statusOptions)[number]['value'];

export function isToolStatus(text: string): text is ToolStatus {
  return statusOptions.some(({ value }) => value === text);
}

/** All words must occur in the name, the description or the URL. */
export function filterTools(tools: readonly Tool[], search: string, status: ToolStatus): readonly Tool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && status === '') return tools;
  return tools.filter((tool) => {
    if (status !== '' && tool.status !== status) return false;
    const text = `${tool.name}\n${tool.description}\n${tool.http_method} ${tool.endpoint_url}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
