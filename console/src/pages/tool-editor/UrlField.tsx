/** URL field that highlights placeholders. */
import { useRef } from 'preact/hooks';
import { splitTemplate } from '../../logic/url-template';
import { Field } from '../../ui/Field';
import './UrlField.css';

export interface UrlFieldProps {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

/** The input renders the text; the highlights are a layer behind it that scrolls along. */
export function UrlField({ value, onValue, error }: UrlFieldProps) {
  const marks = useRef<HTMLDivElement>(null);
  return (
    <Field
      label="URL"
      error={error}
      hint={
        <>
          Use <code>{'{name}'}</code> anywhere after the host for the value of an argument.
        </>
      }
    >
      {(control) => (
        <div class="url-field">
          <div ref={marks} class="control control-mono url-field-marks" aria-hidden="true">
            {splitTemplate(value).map(({ text, placeholder }, index) =>
              placeholder === undefined ? (
                <span key={index}>{text}</span>
              ) : (
                <mark key={index} class="url-field-mark">
                  {text}
                </mark>
              ),
            )}
          </div>
          <input
            {...control}
            class="control control-mono url-field-input"
            type="url"
            placeholder="https://api.example.com/v1/cities/{city}/weather"
            autocomplete="off"
            spellcheck={false}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
            onScroll={(event) => {
              if (marks.current) marks.current.scrollLeft = event.currentTarget.scrollLeft;
            }}
          />
        </div>
      )}
    </Field>
  );
}
