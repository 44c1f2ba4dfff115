import type { Settings } from '../../api/types';
import { formatBytes, formatCount } from '../../logic/format';
import { Card } from '../../ui/Card';
import { Fact, Facts } from './Facts';

type Limits = Settings['limits'];

const rows: { name: keyof Limits; label: string; format: (value: number) => string }[] = [
  { name: 'tools_per_server', label: 'Tools in a server', format: formatCount },
  { name: 'prompts_per_server', label: 'Prompts in a server', format: formatCount },
  { name: 'resources_per_server', label: 'Resources in a server', format: formatCount },
  { name: 'name_characters', label: 'A name', format: characters },
  { name: 'identifier_characters', label: 'The name of a tool', format: characters },
  { name: 'description_characters', label: 'A description', format: characters },
  { name: 'url_characters', label: 'An address', format: characters },
  { name: 'content_bytes', label: 'The content of a resource', format: formatBytes },
  { name: 'document_bytes', label: 'A schema or another JSON document', format: formatBytes },
  { name: 'json_depth', label: 'Levels of JSON', format: formatCount },
  { name: 'rest_body_bytes', label: 'A request to the API', format: formatBytes },
  { name: 'per_page', label: 'Entries on a page of the API', format: formatCount },
];

export function LimitsCard({ limits }: { limits: Limits }) {
  return (
    <Card title="Limits" description="The most that the service takes. They are fixed.">
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
