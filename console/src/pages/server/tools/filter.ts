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

export interface ToolFilter {
  search: string;
  status: ToolStatus;
  /** Empty for all tools. */
  tag: string;
}

/** All words of the search must occur in the name, the description, the URL or the tags. */
export function filterTools(tools: readonly Tool[], { search, status, tag }: ToolFilter): readonly Tool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && status === '' && tag === '') return tools;
  return tools.filter((tool) => {
    if (status !== '' && tool.status !== status) return false;
    if (tag !== '' && !tool.tags.includes(tag)) return false;
    const { name, description, http_method, endpoint_url, tags } = tool;
    const text = [name, description, `${http_method} ${endpoint_url}`, ...tags].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The tags of all tools, sorted. */
export function tagsOf(tools: readonly Tool[]): string[] {
  return [...new Set(tools.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b));
}
