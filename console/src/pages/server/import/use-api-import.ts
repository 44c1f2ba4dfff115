/** The state of an import: the document, how it is read, edits of its candidates, and the selection. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { type ApiError, toApiError } from '../../../api/errors';
import type { ApiImport, Candidate } from '../../../logic/api-import';
import { type DocumentLines, indexDocument } from '../../../logic/document-lines';
import { buildCredentials, givenNames, type SchemeValues } from '../../../logic/import-credentials';
import { buildOverlay, type ImportEdits, type OperationEdit } from '../../../logic/import-overlay';
import type { ImportRequest } from '../../../logic/import-request';
import { initialSelection, type Selection } from '../../../logic/import-selection';
import { type ImportSource, sourceArguments } from '../../../logic/import-source';
import { latestOnly } from '../../../logic/latest-only';
import { type KeyValuePair, valuesOf } from '../../../ui/KeyValueEditor';
import { readDocument } from './read-document';

/** Which server of the document the tools call. */
export interface ServerOptions {
  /** Undefined: `baseUrl` replaces the servers of the document. */
  index: number | undefined;
  baseUrl: string;
  variables: Readonly<Record<string, string>>;
  /** Values of the variables of a Postman collection. */
  collection: readonly KeyValuePair[];
}

interface ImportForm {
  source: ImportSource | undefined;
  /** The text of a document that was fetched from a link. */
  content: string | undefined;
  server: ServerOptions;
  credentials: SchemeValues;
  edits: ImportEdits;
  /** The edited candidates as the document describes them, by operation. */
  originals: Readonly<Record<string, Candidate>>;
}

export interface ApiImportState extends ImportForm {
  /** The result of reading the document; it stays while the document is read again. */
  report: ApiImport | undefined;
  lines: DocumentLines | undefined;
  error: ApiError | undefined;
  busy: boolean;
  selection: Selection;
  setSelection: (selection: Selection) => void;
  load: (source: ImportSource) => void;
  startOver: () => void;
  setServer: (server: ServerOptions) => void;
  setCredentials: (values: SchemeValues) => void;
  /** Reads the document with the edit; undefined removes the edit. Returns the error if the edit is rejected. */
  applyEdit: (original: Candidate, edit: OperationEdit | undefined) => Promise<ApiError | undefined>;
  /** The request that creates tools, with secrets. */
  commitRequest: (target: Record<string, unknown>) => ImportRequest;
}

const typingPauseMs = 400;
const emptyForm: ImportForm = {
  source: undefined,
  content: undefined,
  server: { index: 0, baseUrl: '', variables: {}, collection: [] },
  credentials: {},
  edits: {},
  originals: {},
};

export function useApiImport(serverId: number): ApiImportState {
  const [form, setForm] = useState(emptyForm);
  const [report, setReport] = useState<ApiImport>();
  const [error, setError] = useState<ApiError>();
  const [pendingReads, setPendingReads] = useState(0);
  const [selection, setSelection] = useState<Selection>(new Set());
  const latest = useRef(form);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const read = useMemo(() => latestOnly((request: ImportRequest) => readDocument(serverId, request)), [serverId]);

  const change = (part: Partial<ImportForm>) => {
    latest.current = { ...latest.current, ...part };
    setForm(latest.current);
  };
  /** Reads the document with the settings of the form. Returns the error. */
  const reread = async (isFirst = false): Promise<ApiError | undefined> => {
    const { source, credentials } = latest.current;
    if (!source) return undefined;
    setPendingReads((count) => count + 1);
    try {
      const given = givenNames(report && !isFirst ? report.security_schemes : [], credentials);
      const next = await read(importRequest(latest.current, { credentials: given }));
      if (!next || latest.current.source !== source) return undefined;
      change({ content: next.content ?? latest.current.content });
      if (isFirst) setSelection(initialSelection(next.candidates));
      setReport(next);
      setError(undefined);
      return undefined;
    } catch (cause) {
      const failure = toApiError(cause);
      if (latest.current.source === source) setError(failure);
      return failure;
    } finally {
      setPendingReads((count) => count - 1);
    }
  };
  const rereadSoon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void reread(), typingPauseMs);
  };

  const text = form.source?.kind === 'text' ? form.source.text : form.content;
  const lines = useMemo(() => text !== undefined && report && indexDocument(text, pointersOf(report)), [text, report]);
  return {
    ...form,
    report,
    lines: lines || undefined,
    error,
    busy: pendingReads > 0,
    selection,
    setSelection,
    load: (source) => {
      change({ ...emptyForm, source });
      setReport(undefined);
      setError(undefined);
      void reread(true);
    },
    startOver: () => {
      change(emptyForm);
      setReport(undefined);
      setError(undefined);
    },
    setServer: (server) => {
      change({ server });
      rereadSoon();
    },
    setCredentials: (credentials) => {
      const schemes = report?.security_schemes ?? [];
      const before = Object.keys(givenNames(schemes, latest.current.credentials)).join();
      change({ credentials });
      // Values are sent with the commit only; the candidates depend on which schemes have values.
      if (Object.keys(givenNames(schemes, credentials)).join() !== before) rereadSoon();
    },
    applyEdit: async (original, edit) => {
      const { operation } = original;
      const { edits, originals } = latest.current;
      const { [operation]: _, ...others } = edits;
      change({
        edits: edit ? { ...others, [operation]: edit } : others,
        originals: { ...originals, [operation]: original },
      });
      const failure = await reread();
      if (!failure) return undefined;
      // The edit is undone; the caller shows its error.
      setError(undefined);
      change({ edits, originals });
      return failure;
    },
    commitRequest: (target) =>
      importRequest(latest.current, {
        ...target,
        credentials: buildCredentials(report?.security_schemes ?? [], latest.current.credentials),
        document_sha256: report?.document_sha256,
      }),
  };
}

function importRequest(form: ImportForm, others: Record<string, unknown>): ImportRequest {
  const files = form.source?.kind === 'files' ? form.source.files : [];
  return { arguments: { ...documentArguments(form), ...others }, files };
}

function documentArguments({ source, content, server, edits, originals }: ImportForm): Record<string, unknown> {
  const { index, baseUrl, variables, collection } = server;
  const collectionVariables = valuesOf(collection);
  const filled = Object.entries(variables).filter(([, value]) => value !== '');
  const address = index === undefined || baseUrl.trim() !== '' ? { base_url: baseUrl.trim() } : { server_index: index };
  return {
    ...(source ? sourceArguments(source, content) : {}),
    ...address,
    ...(filled.length > 0 ? { server_variables: Object.fromEntries(filled) } : {}),
    ...(Object.keys(collectionVariables).length > 0 ? { variables: collectionVariables } : {}),
    ...(Object.keys(edits).length > 0 ? { overlay: buildOverlay(edits, originals) } : {}),
  };
}

function pointersOf({ candidates, problems, warnings }: ApiImport): string[] {
  const ofCandidates = candidates.flatMap((candidate) => [
    candidate.pointer,
    ...candidate.warnings.map(({ pointer }) => pointer),
  ]);
  return [...ofCandidates, ...problems.map(({ pointer }) => pointer), ...warnings.map(({ pointer }) => pointer)];
}
