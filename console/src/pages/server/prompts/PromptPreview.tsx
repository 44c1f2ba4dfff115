/** The prompt as a client receives it, with sample values. */
import { useState } from 'preact/hooks';
import { type PromptForm, preview } from '../../../logic/prompt-form';
import { TextField } from '../../../ui/TextField';

export function PromptPreview({ form }: { form: PromptForm }) {
  const [typedValues, setTypedValues] = useState<Record<string, string>>({});
  const values = Object.fromEntries(
    form.arguments.map(({ name, values: suggestedValues, required }) => [
      name,
      typedValues[name] || suggestedValues[0] || (required ? `⟨${name}⟩` : ''),
    ]),
  );
  const messages = preview(form, values);
  return (
    <aside class="items-preview" aria-label="Preview">
      <h2>Preview</h2>
      {form.arguments.length > 0 && (
        <div class="grid">
          {form.arguments.map(({ name, values: suggestedValues }) => (
            <TextField
              key={name}
              label={name}
              placeholder={suggestedValues[0] ?? 'Sample value'}
              value={typedValues[name] ?? ''}
              onValue={(value) => setTypedValues({ ...typedValues, [name]: value })}
            />
          ))}
        </div>
      )}
      {messages.length === 0 && <p class="field-hint">Your prompt appears here as clients receive it.</p>}
      {messages.map(({ role, text }, index) => (
        // Messages have no id, so the index is the key.
        <div key={index} class="prompts-message">
          <p class="prompts-role">{role}</p>
          <p class="prompts-text" dir="auto">
            {text ?? <span class="muted">This content is not text. It is sent unchanged.</span>}
          </p>
        </div>
      ))}
    </aside>
  );
}
