import type { Settings } from '../../api/types';
import { formatBytes, formatCount } from '../../logic/format';
import { Card } from '../../ui/Card';
import { Fact, Facts } from './Facts';

type Limits = Settings['limits'];

const rows: { name: keyof Limits; label: string; format: (value: number) => string }[] = [
  { name: 'tools_per_server', label: 'Tools per server', format: formatCount },
  { name: 'prompts_per_server', label: 'Prompts per server', format: formatCount },
  { name: 'resources_per_server', label: 'Resources per server', format: formatCount },
  { name: 'name_characters', label: 'Name', format: characters },
  { name: 'identifier_characters', label: 'Tool name', format: characters },
  { name: 'description_characters', label: 'Description', format: characters },
  { name: 'url_characters', label: 'URL', format: characters },
  { name: 'content_bytes', label: 'Resource content', format: formatBytes },
  { name: 'document_bytes', label: 'Schema or other JSON document', format: formatBytes },
  { name: 'json_depth', label: 'JSON nesting depth', format: formatCount },
  { name: 'rest_body_bytes', label: 'API request body', format: formatBytes },
  { name: 'per_page', label: 'Items per page (API)', format: formatCount },
];

export function LimitsCard({ limits }: { limits: Limits }) {
  return (
    <Card title="Limits" description="Maximum sizes and counts. They cannot be changed.">
      <div class="settings-limits">
        <Facts>
          {rows.map(({ name, label, format }) => (
            <Fact key={name} label={label}>
              <span class="number">{format(limits[name])}</span>
            </Fact>
          ))}
        </Facts>
      </div>
    </Card>
  );
}

function characters(count: number): string {
  return `${formatCount(count)} characters`;
}
