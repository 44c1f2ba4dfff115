/** How responses of tools without their own rules are shortened. */
import { type ShapingForm, type ShapingMode, shapingErrors, withMode } from '../../../logic/shaping-form';
import { Callout } from '../../../ui/Callout';
import { Card } from '../../../ui/Card';
import { RadioCards } from '../../../ui/RadioCards';
import { ShapingFields } from '../../../ui/ShapingFields';

/** Without a default of the server, responses stay as they are. */
const modes: readonly { value: Exclude<ShapingMode, 'off'>; label: string; text: string }[] = [
  { value: 'default', label: 'Off', text: 'Models get responses as the upstream sends them.' },
  { value: 'own', label: 'On', text: 'Shortens the responses of tools by these rules.' },
];

export interface ShapingCardProps {
  form: ShapingForm;
  onForm: (form: ShapingForm) => void;
  error: string | undefined;
}

export function ShapingCard({ form, onForm, error }: ShapingCardProps) {
  const errors = shapingErrors(error);
  return (
    <Card title="Response shaping" description="The default for tools that have no rules of their own.">
      {errors[''] && <Callout tone="bad">{errors['']}</Callout>}
      <RadioCards
        label="Response shaping"
        hideLabel
        value={form.mode === 'own' ? 'own' : 'default'}
        options={modes}
        onValue={(mode) => onForm(withMode(form, mode))}
      />
      {form.mode === 'own' && <ShapingFields form={form} onForm={onForm} errors={errors} />}
    </Card>
  );
}
