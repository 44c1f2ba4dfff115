/** What clients get in the list of tools, and how their arguments are read. */
import { splitParamError } from '../../../logic/param-errors';
import type { Discovery, ServerForm } from '../../../logic/server-form';
import { Card } from '../../../ui/Card';
import { KeyValueEditor } from '../../../ui/KeyValueEditor';
import { RadioCards } from '../../../ui/RadioCards';
import { Checkbox } from '../../../ui/Switch';
import { TextField } from '../../../ui/TextField';

const modes: readonly { value: Discovery; label: string; text: string }[] = [
  { value: 'all', label: 'All tools', text: 'The list has every active tool.' },
  {
    value: 'search',
    label: 'Search',
    text: 'The list has pinned tools, and three tools that find and call the others.',
  },
  { value: 'auto', label: 'Automatic', text: 'Search if the list exceeds its budget or the limit of the client.' },
];

const profiles = [
  { value: 'common', label: 'Common' },
  { value: 'claude', label: 'Claude' },
  { value: 'cursor', label: 'Cursor' },
  { value: 'vscode', label: 'VS Code and Copilot' },
  { value: 'openai', label: 'ChatGPT and Codex' },
  { value: 'gemini', label: 'Gemini' },
  { value: 'windsurf', label: 'Windsurf' },
];

export interface DiscoveryCardProps {
  values: ServerForm;
  set: (part: Partial<ServerForm>) => void;
  /** Errors by key of the settings. */
  errors: Record<string, string | undefined>;
}

export function DiscoveryCard({ values, set, errors }: DiscoveryCardProps) {
  return (
    <Card title="Tools and models" description="A long list of tools costs tokens in every conversation.">
      <RadioCards
        label="List of tools"
        value={values.discovery}
        options={modes}
        onValue={(discovery) => set({ discovery })}
      />
      {errors.discovery && <p class="field-error">{errors.discovery}</p>}
      <TextField
        label="List budget (tokens)"
        type="number"
        min={100}
        max={10_000_000}
        hint="The Tools page warns above it; in automatic mode, clients search above it."
        value={values.listBudget}
        onValue={(listBudget) => set({ listBudget })}
        error={errors.list_budget}
      />
      <Checkbox
        label="Lenient arguments"
        hint="Accepts “10” for 10, null for a missing argument, a list written as text, and values in another case."
        checked={values.coercesArguments}
        onValue={(coercesArguments) => set({ coercesArguments })}
      />
      <Checkbox
        label="Safe tool names"
        hint="Lists a name that models reject, such as “x (copy)”, as “x_copy”. Calls may use either name."
        checked={values.safeNames}
        onValue={(safeNames) => set({ safeNames })}
      />
      <Checkbox
        label="Adapt lists to clients"
        hint="Rewrites schemas and names that the model of a client rejects. Arguments are validated with your schemas."
        checked={values.adaptsSchemas}
        onValue={(adaptsSchemas) => set({ adaptsSchemas })}
      />
      {values.adaptsSchemas && (
        <KeyValueEditor
          label="Profiles of clients"
          nameLabel="Client type"
          valueLabel="Profile"
          options={profiles}
          hint="Only for clients that need another profile than the built-in one. The client types are those of the call log."
          pairs={values.clientProfiles}
          onPairs={(clientProfiles) => set({ clientProfiles })}
          errors={splitParamError('client_profiles', errors.client_profiles)}
        />
      )}
    </Card>
  );
}
