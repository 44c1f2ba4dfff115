/** The call log, live and historical. `?call=ID` opens one call. */
import { useRef, useState } from 'preact/hooks';
import type { Call } from '../../api/types';
import { currentQuery, setQuery } from '../../app/router';
import { isFiltered, readCallFilter } from '../../logic/call-filter';
import { readId } from '../../logic/id';
import { LoadError } from '../../ui/LoadError';
import { PageHeader } from '../../ui/PageHeader';
import { CallPanel } from './CallPanel';
import { CallsFilters } from './CallsFilters';
import { CallsList } from './CallsList';
import { CallsSkeleton } from './CallsSkeleton';
import { ExportButton, LiveControls } from './LiveControls';
import { NoCalls } from './NoCalls';
import { useCallLog } from './use-call-log';
import { useIsReading } from './use-is-reading';
import { useLiveTail } from './use-live-tail';
import './calls.css';

export default function CallsPage() {
  const filter = readCallFilter(currentQuery.value);
  const openCallId = readId(currentQuery.value.get('call'));
  const frame = useRef<HTMLElement>(null);
  const [paused, setPaused] = useState(false);
  const log = useCallLog(filter);
  const rows = log.loaded?.rows;
  const reading = useIsReading(frame, rows !== undefined && rows.length > 0);
  const live = useLiveTail(filter, !paused && !reading && openCallId === undefined, log.refresh);
  const changePaused = (next: boolean) => {
    setPaused(next);
    if (!next && live.waiting > 0) live.show();
  };

  return (
    <>
      <PageHeader
        title="Calls"
        description="Every tool call by an AI client, newest first."
        actions={
          <>
            <LiveControls state={live.state} paused={paused} onPause={changePaused} />
            <ExportButton filter={filter} />
          </>
        }
      />
      <CallsFilters filter={filter} calls={rows ?? []} />
      {log.error && <LoadError title="Could not load the calls" error={log.error} onRetry={log.retry} />}
      {!log.loaded && !log.error && <CallsSkeleton />}
      {log.loaded && rows?.length === 0 && <NoCalls filtered={isFiltered(filter)} />}
      {log.loaded && rows && rows.length > 0 && (
        <CallsList
          calls={log.loaded}
          frame={frame}
          hrefOf={hrefOf}
          waiting={live.waiting}
          onShowWaiting={live.show}
          loadingOlder={log.loadingOlder}
          onEnd={log.loadOlder}
        />
      )}
      {openCallId !== undefined && (
        <CallPanel
          id={openCallId}
          {...neighbours(rows ?? [], openCallId)}
          onClose={() => setQuery({ call: undefined })}
        />
      )}
    </>
  );
}

/** The link that opens a call, with the current filters. */
function hrefOf(call: Call): string {
  const query = new URLSearchParams(currentQuery.peek());
  query.set('call', String(call.id));
  return `/calls?${query}`;
}

function neighbours(rows: readonly Call[], id: number): { newer: number | undefined; older: number | undefined } {
  const index = rows.findIndex((row) => row.id === id);
  return { newer: rows[index - 1]?.id, older: index < 0 ? undefined : rows[index + 1]?.id };
}
