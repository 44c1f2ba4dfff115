import type { Settings } from '../../api/types';
import { Link } from '../../app/Link';
import { formatBytes, formatCount, plural } from '../../logic/format';
import { Status } from '../../ui/Badge';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { Fact, Facts } from './Facts';

export function RecordingCard({ settings: { recording, retention_days } }: { settings: Settings }) {
  const lost = recording.lost_calls ?? 0;
  return (
    <Card title="Call log" description={<Link href="/calls">View the call log</Link>}>
      {!recording.enabled && (
        <Callout tone="warn" title="Calls are not recorded">
          Recording is off, so the call log and the reports stay empty. Remove TOOLGATE_RECORDING=off and restart the
          service to turn it on.
        </Callout>
      )}
      {lost > 0 && (
        <Callout tone="warn" title={`${plural(lost, 'call')} ${lost === 1 ? 'was' : 'were'} lost`}>
          The journal was full while the database was unavailable, or it could not be read. The log of the service shows
          when this happened. Increase TOOLGATE_JOURNAL_MAX_MIB to make the journal larger.
        </Callout>
      )}
      <Facts>
        <Fact label="Status">
          <Status value={recording.enabled ? 'active' : 'paused'} label={recording.enabled ? 'Recording' : 'Off'} />
        </Fact>
        <Fact
          label="Retention"
          hint="Applies to single calls; report totals are not deleted. Set TOOLGATE_RETENTION_DAYS to change it."
        >
          {plural(retention_days, 'day')}
        </Fact>
        <Fact label="Pending" hint="Calls in the journal that are not in the database yet.">
          {plural(recording.pending_calls, 'call')}, {formatBytes(recording.journal_bytes)} on disk
        </Fact>
        <Fact label="Lost">
          {recording.lost_calls === null ? 'unknown: the database does not respond' : formatCount(recording.lost_calls)}
        </Fact>
      </Facts>
    </Card>
  );
}
