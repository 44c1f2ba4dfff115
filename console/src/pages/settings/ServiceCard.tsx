import type { Settings } from '../../api/types';
import { Card } from '../../ui/Card';
import { CopyText } from '../../ui/CopyButton';
import { Fact, Facts } from './Facts';

export function ServiceCard({ settings }: { settings: Settings }) {
  return (
    <Card title="Service">
      <Facts>
        <Fact label="Version">Toolgate {settings.version}</Fact>
        <Fact label="Address" hint="Clients find your servers below it. Set by TOOLGATE_BASE_URL.">
          <CopyText text={settings.base_url} label="Copy the address" />
        </Fact>
        <Fact label="Management API">
          <CopyText text={settings.api_base} label="Copy the address of the API" />
        </Fact>
        <Fact
          label="Other origins"
          hint="Web pages that may call the API from a browser. Set by TOOLGATE_CORS_ORIGINS."
        >
          {settings.cors_origins.length === 0 ? 'none' : settings.cors_origins.join(', ')}
        </Fact>
      </Facts>
    </Card>
  );
}
