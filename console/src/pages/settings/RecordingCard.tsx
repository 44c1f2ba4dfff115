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
    <Card title="Recording of calls" description={<Link href="/calls">The log of calls</Link>}>
      {!recording.enabled && (
        <Callout tone="warn" title="Calls are not recorded">
          The service was started with recording off: the log and the reports stay empty. Start it without
          TOOLGATE_RECORDING=off to change that.
        </Callout>
      )}
      {lost > 0 && (
        <Callout tone="warn" title={`${plural(lost, 'call')} ${lost === 1 ? 'was' : 'were'} lost`}>
          The journal was full while the database did not answer, or could not be read. The log of the service says
          when; TOOLGATE_JOURNAL_MAX_MIB gives the journal more room.
        </Callout>
      )}
      <Facts>
        <Fact label="State">
          <Status value={recording.enabled ? 'active' : 'paused'} label={recording.enabled ? 'Recording' : 'Off'} />
        </Fact>
        <Fact label="Kept for" hint="Single calls; the sums that reports read stay. Set by TOOLGATE_RETENTION_DAYS.">
          {plural(retention_days, 'day')}
        </Fact>
        <Fact label="On their way" hint="Calls that wait in the journal for the database.">
          {plural(recording.pending_calls, 'call')}, {formatBytes(recording.journal_bytes)} on disk
        </Fact>
        <Fact label="Lost">
          {recording.lost_calls === null ? 'not known: the database does not tell' : formatCount(recording.lost_calls)}
        </Fact>
      </Facts>
    </Card>
  );
}
