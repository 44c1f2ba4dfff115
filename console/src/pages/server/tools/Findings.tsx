/** Lint findings about the tools, worst first, with buttons that apply fixes. */
import { useState } from 'preact/hooks';
import type { LintFinding, ServerLint } from '../../../api/types';
import { Link } from '../../../app/Link';
import { plural } from '../../../logic/format';
import { levelCounts, sortFindings } from '../../../logic/lint';
import { type Fix, fixesOf, fixLabel } from '../../../logic/lint-fixes';
import { Badge, type Tone } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Disclosure } from '../../../ui/Disclosure';
import { useFixes } from './use-fixes';

const levels: Record<LintFinding['level'], { label: string; tone: Tone }> = {
  error: { label: 'Error', tone: 'bad' },
  warn: { label: 'Warning', tone: 'warn' },
  info: { label: 'Hint', tone: 'neutral' },
};

export interface FindingsProps {
  serverId: number;
  lint: ServerLint;
  canEdit: boolean;
  /** Names of tools by id. */
  nameOf: (toolId: number) => string;
  /** Called after a fix. */
  onChanged: () => void;
}

export function Findings({ serverId, lint, canEdit, nameOf, onChanged }: FindingsProps) {
  const fixes = useFixes(serverId, onChanged);
  const [pausing, setPausing] = useState<Fix & { kind: 'pause' }>();
  const { findings } = lint;
  // Pausing affects many tools, so a dialog lists them first.
  const start = (fix: Fix) => (fix.kind === 'pause' ? setPausing(fix) : void fixes.apply(fix));
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
              <span class="tools-finding-text">{finding.message}</span>
              <span class="tools-finding-actions">
                {canEdit &&
                  fixesOf(finding, lint).map((fix) => (
                    <Button key={fix.kind} size="small" busy={fixes.busy} onClick={() => start(fix)}>
                      {fixLabel(fix)}
                    </Button>
                  ))}
                {finding.tool_id !== undefined && (
                  <Link href={`/servers/${serverId}/tools/${finding.tool_id}`}>{nameOf(finding.tool_id)}</Link>
                )}
              </span>
            </li>
          ))}
        </ul>
      </Disclosure>
      {pausing && (
        <Confirm
          title="Pause unused tools"
          action={`Pause ${plural(pausing.toolIds.length, 'tool')}`}
          onClose={() => setPausing(undefined)}
          onConfirm={() => fixes.apply(pausing)}
        >
          These tools had no calls in the last 30 days: {listNames(pausing.toolIds.map(nameOf))}. Clients do not see
          paused tools. You can activate them again at any time.
        </Confirm>
      )}
    </section>
  );
}

/** Number of names that the dialog lists. */
const namesMax = 12;

function listNames(names: readonly string[]): string {
  const more = names.length - namesMax;
  return more > 0 ? `${names.slice(0, namesMax).join(', ')} and ${more} more` : names.join(', ');
}
