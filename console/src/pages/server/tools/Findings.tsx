/** What makes models fail with the tools, the worst first. */
import type { LintFinding } from '../../../api/types';
import { Link } from '../../../app/Link';
import { plural } from '../../../logic/format';
import { levelCounts, sortFindings } from '../../../logic/lint';
import { Badge, type Tone } from '../../../ui/Badge';
import { Disclosure } from '../../../ui/Disclosure';

const levels: Record<LintFinding['level'], { label: string; tone: Tone }> = {
  error: { label: 'Error', tone: 'bad' },
  warn: { label: 'Warning', tone: 'warn' },
  info: { label: 'Hint', tone: 'neutral' },
};

export function Findings({ serverId, findings }: { serverId: number; findings: readonly LintFinding[] }) {
  if (findings.length === 0) return null;
  const { error, warn, info } = levelCounts(findings);
  return (
    <section class="tools-findings" aria-label="Findings">
      <Disclosure
        summary={
          <span>
            {plural(findings.length, 'finding')}: {plural(error, 'error')}, {plural(warn, 'warning')},{' '}
            {plural(info, 'hint')}
          </span>
        }
      >
        <ul class="tools-findings-list">
          {sortFindings(findings).map((finding, index) => (
            <li key={index}>
              <Badge tone={levels[finding.level].tone}>{levels[finding.level].label}</Badge>
              <span>{finding.message}</span>
              {finding.tool_id !== undefined && (
                <Link href={`/servers/${serverId}/tools/${finding.tool_id}`}>Open the tool</Link>
              )}
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  );
}
