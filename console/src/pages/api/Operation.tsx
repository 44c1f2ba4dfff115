/** One API operation: path and summary, expandable to parameters, responses and a curl example. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { setQuery } from '../../app/router';
import type { ApiOperation, OperationResponse } from '../../logic/openapi';
import { curlExample } from '../../logic/openapi-example';
import { CodeBlock } from '../../ui/CodeBlock';
import { Icon } from '../../ui/Icon';
import { FieldList } from './FieldList';

export interface OperationProps {
  operation: ApiOperation;
  base: string;
  /** Selected by the query string. */
  selected: boolean;
}

export function Operation({ operation, base, selected }: OperationProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const [open, setOpen] = useState(selected);
  const [method = 'get'] = operation.methods;
  useEffect(() => {
    if (selected) element.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const toggle = (next: boolean) => {
    if (next === open) return;
    setOpen(next);
    if (next) setQuery({ op: operation.id });
    else if (selected) setQuery({ op: undefined });
  };
  return (
    <details ref={element} class="api-operation" open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary class="api-summary">
        <Icon name="chevron-right" />
        <span class={`api-method api-method-${method}`}>{method.toUpperCase()}</span>
        <code class="api-path">{operation.path}</code>
        <span class="api-text">{operation.summary}</span>
      </summary>
      {open && <Details operation={operation} base={base} />}
    </details>
  );
}

function Details({ operation, base }: { operation: ApiOperation; base: string }) {
  const [, ...otherMethods] = operation.methods;
  return (
    <div class="api-details stack">
      {otherMethods.length > 0 && (
        <p class="muted small">
          You can also use the method {otherMethods.map((name) => name.toUpperCase()).join(' or ')}.
        </p>
      )}
      {!operation.needsKey && <p class="muted small">No API key required.</p>}
      <CodeBlock label="Example" text={curlExample(operation, base)} wrap />
      <FieldList title="Path parameters" fields={operation.parameters.filter(({ location }) => location === 'path')} />
      <FieldList
        title="Query parameters"
        fields={operation.parameters.filter(({ location }) => location === 'query')}
      />
      <FieldList title="Body" fields={operation.body} />
      {operation.responses.map((response) => (
        <ResponseSection key={response.status} response={response} />
      ))}
      <Errors errors={operation.errors} />
    </div>
  );
}

function ResponseSection({ response }: { response: OperationResponse }) {
  const title = `Response ${response.status}${response.type ? `: ${response.type}` : ''}`;
  if (response.fields.length > 0) return <FieldList title={title} fields={response.fields} isResponse />;
  return (
    <section>
      <h3 class="api-title">{title}</h3>
      <p class="small">{response.description}</p>
    </section>
  );
}

function Errors({ errors }: { errors: ApiOperation['errors'] }) {
  if (errors.length === 0) return null;
  return (
    <section>
      <h3 class="api-title">Errors</h3>
      <dl class="api-errors">
        {errors.map(({ status, description }) => (
          <div key={status} class="api-error">
            <dt class="number">{status}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
