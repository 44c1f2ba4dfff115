/** One operation: its address and what it does; on demand all that it takes and gives, and a command to try it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { setQuery } from '../../app/router';
import type { ApiOperation, ApiReply } from '../../logic/openapi';
import { curlExample } from '../../logic/openapi-example';
import { CodeBlock } from '../../ui/CodeBlock';
import { Icon } from '../../ui/Icon';
import { FieldList } from './FieldList';

export interface OperationProps {
  operation: ApiOperation;
  base: string;
  /** The address names it. */
  opened: boolean;
}

export function Operation({ operation, base, opened }: OperationProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const [open, setOpen] = useState(opened);
  const [method = 'get'] = operation.methods;
  useEffect(() => {
    if (opened) element.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const toggle = (now: boolean) => {
    if (now === open) return;
    setOpen(now);
    if (now) setQuery({ op: operation.id });
    else if (opened) setQuery({ op: undefined });
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
  const [, ...others] = operation.methods;
  return (
    <div class="api-details stack">
      {others.length > 0 && (
        <p class="muted small">The same may be sent as {others.map((name) => name.toUpperCase()).join(' or ')}.</p>
      )}
      {!operation.needsKey && <p class="muted small">Needs no key.</p>}
      <CodeBlock label="Example" text={curlExample(operation, base)} wrap />
      <FieldList title="In the address" fields={operation.parameters.filter(({ where }) => where === 'path')} />
      <FieldList title="Query" fields={operation.parameters.filter(({ where }) => where === 'query')} />
      <FieldList title="Body" fields={operation.body} />
      {operation.replies.map((reply) => (
        <Reply key={reply.status} reply={reply} />
      ))}
      <Errors errors={operation.errors} />
    </div>
  );
}

function Reply({ reply }: { reply: ApiReply }) {
  const title = `Answer ${reply.status}${reply.type ? `: ${reply.type}` : ''}`;
  if (reply.fields.length > 0) return <FieldList title={title} fields={reply.fields} given />;
  return (
    <section>
      <h3 class="api-title">{title}</h3>
      <p class="small">{reply.description}</p>
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
