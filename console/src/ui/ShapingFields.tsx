/** The form fields for `shaping`, one for each of its keys. */
import type { BlobShaping, HtmlShaping, ShapingForm } from '../logic/shaping-form';
import { Select } from './Select';
import { Checkbox } from './Switch';
import { TextArea } from './TextArea';
import { TextField } from './TextField';

export interface ShapingFieldsProps {
  form: ShapingForm;
  onForm: (form: ShapingForm) => void;
  /** Errors by key of `shaping`. */
  errors: Record<string, string>;
}

const htmlOptions: readonly { value: HtmlShaping; label: string }[] = [
  { value: 'keep', label: 'Leave as it is' },
  { value: 'markdown', label: 'As Markdown' },
  { value: 'text', label: 'As plain text' },
];

const blobOptions: readonly { value: BlobShaping; label: string }[] = [
  { value: 'keep', label: 'Leave as they are' },
  { value: 'link', label: 'Replace with a link' },
  { value: 'describe', label: 'Replace with type and size' },
];

export function ShapingFields({ form, onForm, errors }: ShapingFieldsProps) {
  const change = (part: Partial<ShapingForm>) => onForm({ ...form, ...part });
  return (
    <>
      <div class="grid">
        <TextField
          label="Budget (tokens)"
          optional
          type="number"
          min={200}
          max={100_000}
          placeholder="No limit"
          hint="200 to 100,000. What does not fit is cut between values; models read on with read_more."
          value={form.maxTokens}
          onValue={(maxTokens) => change({ maxTokens })}
          error={errors.max_tokens}
        />
        <TextField
          label="Keep the whole response (minutes)"
          type="number"
          min={0}
          max={1440}
          hint="How long models can read the rest of a response that was cut, up to 1,440. 0 means not at all."
          value={form.overflowMinutes}
          onValue={(overflowMinutes) => change({ overflowMinutes })}
          error={errors.overflow_minutes}
        />
      </div>
      <div class="grid">
        <TextArea
          label="Keep only these members"
          optional
          mono
          rows={4}
          placeholder={'total\nitems[].title\nitems[].user.login'}
          hint="One path per line. * stands for any characters of a name."
          value={form.fields}
          onValue={(fields) => change({ fields })}
          error={errors.fields}
        />
        <TextArea
          label="Leave out these members"
          optional
          mono
          rows={4}
          placeholder={'*_url\nnode_id\nitems[].etag'}
          hint="One per line: a name or pattern at any depth, or a path from the root."
          value={form.omit}
          onValue={(omit) => change({ omit })}
          error={errors.omit}
        />
      </div>
      <div class="grid">
        <Select
          label="HTML pages"
          options={htmlOptions}
          hint="Title, headings, lists, tables and links, without scripts and navigation."
          value={form.html}
          onValue={(html) => change({ html })}
          error={errors.html}
        />
        <Select
          label="Files in texts"
          options={blobOptions}
          hint="Base64 of at least 1,024 characters, and data: URLs."
          value={form.blobs}
          onValue={(blobs) => change({ blobs })}
          error={errors.blobs}
        />
      </div>
      <Checkbox
        label="Leave out empty members"
        hint="Members of objects that are null, “”, [] or {}."
        checked={form.dropEmpty}
        onValue={(dropEmpty) => change({ dropEmpty })}
      />
      <Checkbox
        label="Lists as tables"
        hint="Writes at least 5 similar objects as CSV. Structured content stays JSON."
        checked={form.tables}
        onValue={(tables) => change({ tables })}
      />
      <Checkbox
        label="Compact JSON"
        hint="Removes white space between values."
        checked={form.wrap}
        onValue={(wrap) => change({ wrap })}
      />
    </>
  );
}
