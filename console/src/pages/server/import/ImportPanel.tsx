/** The steps of an import: document, server and credentials, selection, result. */
import { useEffect, useState } from 'preact/hooks';
import { droppedDocument } from '../../../app/import-document';
import { useUnsavedGuard } from '../../../app/unsaved';
import type { ApiImport } from '../../../logic/api-import';
import { countTags, filterCandidates, noFilter } from '../../../logic/import-filter';
import { setSelected, sumSelection } from '../../../logic/import-selection';
import { Callout } from '../../../ui/Callout';
import { LoadError } from '../../../ui/LoadError';
import { Skeleton } from '../../../ui/Skeleton';
import { CandidateDialog } from './CandidateDialog';
import { CandidateFilters } from './CandidateFilters';
import { CandidateList } from './CandidateList';
import { CommitProgress } from './CommitProgress';
import { CredentialsCard } from './CredentialsCard';
import { ImportResult } from './ImportResult';
import { LongTexts } from './LongTexts';
import { Problems } from './Problems';
import { SelectionBar } from './SelectionBar';
import { SelectionWarnings } from './SelectionWarnings';
import { ServerCard } from './ServerCard';
import { SourceCard } from './SourceCard';
import { SummaryCard } from './SummaryCard';
import { type ApiImportState, useApiImport } from './use-api-import';
import { type Commit, useCommit } from './use-commit';

export interface ImportPanelProps {
  serverId: number;
  /** Called when tools were created. */
  onImported: () => void;
}

export function ImportPanel({ serverId, onImported }: ImportPanelProps) {
  const state = useApiImport(serverId);
  const commit = useCommit(serverId);
  const { phase } = commit.state;
  const isDone = phase === 'done';
  const hasInput = Object.keys(state.edits).length > 0 || Object.keys(state.credentials).length > 0;
  useUnsavedGuard(hasInput && !isDone, 'This import');
  useEffect(() => {
    if (isDone) onImported();
  }, [isDone]);
  // A file that was dropped on another page, or on this one.
  const dropped = droppedDocument.value;
  useEffect(() => {
    if (!dropped) return;
    droppedDocument.value = undefined;
    commit.reset();
    state.load(dropped);
  }, [dropped]);

  if (commit.state.phase === 'done' && state.report) {
    const startOver = () => {
      commit.reset();
      state.startOver();
    };
    return (
      <ImportResult serverId={serverId} result={commit.state.result} report={state.report} onStartOver={startOver} />
    );
  }
  if (!state.report) {
    return (
      <>
        <SourceCard state={state} />
        {state.busy && <Skeleton lines={6} height="20px" />}
      </>
    );
  }
  return <Candidates serverId={serverId} state={state} report={state.report} commit={commit} />;
}

interface CandidatesProps {
  serverId: number;
  state: ApiImportState;
  report: ApiImport;
  commit: Commit;
}

function Candidates({ serverId, state, report, commit }: CandidatesProps) {
  const [filter, setFilter] = useState(noFilter);
  const [openId, setOpenId] = useState<string>();
  const { candidates } = report;
  const { selection, setSelection } = state;
  const shown = filterCandidates(candidates, filter, selection);
  const sums = sumSelection(candidates, selection);
  const tags = countTags(candidates);
  const opened = candidates.find(({ temp_id }) => temp_id === openId);
  const selectTag = (tag: string) => {
    const ofTag = candidates.filter((candidate) => candidate.tags.includes(tag) && !candidate.deprecated);
    setSelection(setSelected(new Set(), ofTag, true));
  };
  return (
    <>
      <SummaryCard state={state} report={report} />
      {state.error && <LoadError title="Could not read the document again" error={state.error} />}
      <div class="import-settings">
        <ServerCard state={state} report={report} />
        <CredentialsCard serverId={serverId} state={state} report={report} sums={sums} />
      </div>
      <Problems problems={report.problems} lines={state.lines} />
      <LongTexts candidates={candidates} onShow={() => setFilter({ ...noFilter, view: 'long' })} />
      {candidates.length === 0 ? (
        <Callout tone="warn">No operation of this document can become a tool. See the problems above.</Callout>
      ) : (
        <section aria-label="Candidates" aria-busy={state.busy}>
          <CandidateFilters filter={filter} onFilter={setFilter} candidates={candidates} tags={tags} shown={shown} />
          <CandidateList
            candidates={shown}
            edits={state.edits}
            selection={selection}
            onSelection={setSelection}
            onOpen={({ temp_id }) => setOpenId(temp_id)}
            onShowAll={() => setFilter(noFilter)}
          />
          <SelectionWarnings
            sums={sums}
            tags={tags}
            onTag={selectTag}
            onShowLarge={() => setFilter({ ...noFilter, view: 'large' })}
          />
        </section>
      )}
      <SelectionBar state={state} sums={sums} total={candidates.length} commit={commit} />
      <CommitProgress serverId={serverId} commit={commit} />
      {opened && (
        <CandidateDialog key={opened.temp_id} candidate={opened} state={state} onClose={() => setOpenId(undefined)} />
      )}
    </>
  );
}
