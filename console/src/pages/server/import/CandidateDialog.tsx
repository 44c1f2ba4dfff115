/** One candidate next to the text of the document: its name, description and arguments can be changed. */
import { useState } from 'preact/hooks';
import type { ApiError } from '../../../api/errors';
import type { Candidate } from '../../../logic/api-import';
import { formatCount } from '../../../logic/format';
import {
  type ArgumentEdit,
  candidateArguments,
  cleanEdit,
  editErrors,
  editedTokens,
  noEdit,
  type OperationEdit,
  overlayErrors,
} from '../../../logic/import-overlay';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Callout } from '../../../ui/Callout';
import { Dialog } from '../../../ui/Dialog';
import { TextArea } from '../../../ui/TextArea';
import { TextField } from '../../../ui/TextField';
import { ArgumentItem } from './ArgumentItem';
import { CandidateSource } from './CandidateSource';
import type { ApiImportState } from './use-api-import';

export interface CandidateDialogProps {
  candidate: Candidate;
  state: ApiImportState;
  onClose: () => void;
}

/** The limit of the API. */
const nameLengthMax = 128;

export function CandidateDialog({ candidate, state, onClose }: CandidateDialogProps) {
  const { operation } = candidate;
  // The report has the candidate with its edits; the form needs it as the document describes it.
  const original = (operation in state.edits ? state.originals[operation] : undefined) ?? candidate;
  const [saved] = useState<OperationEdit>(state.edits[operation] ?? noEdit);
  const [edit, setEdit] = useState(saved);
  const [isChecked, setChecked] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const inputErrors = isChecked ? editErrors(original, edit) : {};
  const serverErrors = failure ? overlayErrors(operation, failure.params) : {};
  const errors = { ...serverErrors, ...inputErrors };

  const change = (part: Partial<OperationEdit>) => {
    setFailure(undefined);
    setEdit((previous) => ({ ...previous, ...part }));
  };
  const setArgument = (key: string, argument: ArgumentEdit) =>
    change({ arguments: { ...edit.arguments, [key]: argument } });
  const apply = async () => {
    setChecked(true);
    if (Object.keys(editErrors(original, edit)).length > 0) return;
    setBusy(true);
    const editError = await state.applyEdit(original, cleanEdit(original, edit));
    setBusy(false);
    if (editError) setFailure(editError);
    else onClose();
  };
  const undo = () => change({ ...noEdit, name: undefined, description: undefined });
  return (
    <Dialog
      open
      onClose={onClose}
      placement="side"
      wide
      dirty={edit !== saved}
      title={<DialogTitle candidate={candidate} />}
      footer={
        <>
          <Tokens
            before={original.estimated_tokens}
            after={edit === noEdit ? undefined : editedTokens(original, edit)}
          />
          <Button variant="ghost" disabled={!cleanEdit(original, edit)} onClick={undo}>
            Reset to the document
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={() => void apply()}>
            Apply
          </Button>
        </>
      }
    >
      <div class="import-detail">
        <form
          class="stack"
          aria-label="Tool"
          onSubmit={(event) => {
            event.preventDefault();
            void apply();
          }}
        >
          {failure && (serverErrors[''] || Object.keys(serverErrors).length === 0) && (
            <Callout tone="bad">{serverErrors[''] ?? failure.message}</Callout>
          )}
          <TextField
            label="Name"
            mono
            autofocus
            maxLength={nameLengthMax}
            value={edit.name ?? original.name}
            onValue={(name) => change({ name })}
            error={errors.name}
          />
          <TextArea
            label="Description"
            rows={4}
            value={edit.description ?? original.description}
            onValue={(description) => change({ description })}
            error={errors.description}
            hint="Models follow this text. It comes from the document: read it before you import it."
          />
          <h3>Arguments</h3>
          {candidateArguments(original).length === 0 && <p class="muted small">The operation has no arguments.</p>}
          <ul class="import-arguments">
            {candidateArguments(original).map((argument) => (
              <ArgumentItem
                key={argument.key}
                argument={argument}
                edit={edit.arguments[argument.key] ?? { mode: 'argument' }}
                onEdit={(changed) => setArgument(argument.key, changed)}
                error={errors[argument.key]}
              />
            ))}
          </ul>
          {/* Submits the form with Enter. */}
          <button type="submit" class="visually-hidden" tabIndex={-1}>
            Apply
          </button>
        </form>
        <CandidateSource candidate={candidate} lines={state.lines} />
      </div>
    </Dialog>
  );
}

function DialogTitle({ candidate }: { candidate: Candidate }) {
  return (
    <span class="row">
      <bdi>{candidate.operation}</bdi>
      {candidate.deprecated && <Badge>deprecated</Badge>}
    </span>
  );
}

function Tokens({ before, after }: { before: number; after: number | undefined }) {
  return (
    <span class="muted small number import-tokens" role="status">
      {after === undefined || after === before
        ? `about ${formatCount(before)} tokens`
        : `about ${formatCount(before)} tokens before, ${formatCount(after)} after`}
    </span>
  );
}
