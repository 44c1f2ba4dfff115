/** The address of a request, with its placeholders marked as they are typed. */
import { useRef } from 'preact/hooks';
import { splitTemplate } from '../../logic/url-template';
import { Field } from '../../ui/Field';
import './UrlField.css';

export interface UrlFieldProps {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

/** The browser draws the text; the marks lie behind it and scroll along. */
export function UrlField({ value, onValue, error }: UrlFieldProps) {
  const marks = useRef<HTMLDivElement>(null);
  return (
    <Field
      label="URL"
      error={error}
      hint={
        <>
          <code>{'{name}'}</code> anywhere after the host is filled by the argument of that name.
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
