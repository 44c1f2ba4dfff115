import type { Settings } from '../../api/types';
import { Card } from '../../ui/Card';
import { CopyText } from '../../ui/CopyButton';
import { Fact, Facts } from './Facts';

export function ServiceCard({ settings }: { settings: Settings }) {
  return (
    <Card title="Service">
      <Facts>
        <Fact label="Version">Toolgate {settings.version}</Fact>
        <Fact label="Node" hint="Set TOOLGATE_NODE to change the name.">
          {settings.node}
        </Fact>
        <Fact
          label="Base URL"
          hint="The endpoint URLs of your servers start with it. Set TOOLGATE_BASE_URL to change it."
        >
          <CopyText text={settings.base_url} label="Copy the base URL" />
        </Fact>
        <Fact label="Management API">
          <CopyText text={settings.api_base} label="Copy the API base URL" />
        </Fact>
        <Fact
          label="CORS origins"
          hint="Web origins that may call the API from a browser. Set TOOLGATE_CORS_ORIGINS to change them."
        >
          {settings.cors_origins.length === 0 ? 'none' : settings.cors_origins.join(', ')}
        </Fact>
      </Facts>
    </Card>
  );
}
