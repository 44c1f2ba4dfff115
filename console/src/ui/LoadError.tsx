/** What a page shows where its data did not come. */
import type { ApiError } from '../api/errors';
import { Button } from './Button';
import { Callout } from './Callout';

export interface LoadErrorProps {
  error: ApiError;
  /** "The servers could not be loaded". */
  title?: string | undefined;
  onRetry?: (() => void) | undefined;
}

export function LoadError({ error, title = 'This could not be loaded', onRetry }: LoadErrorProps) {
  const retry = onRetry && (
    <Button size="small" icon="refresh" onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Callout tone="bad" title={title} action={retry}>
      {error.message}
    </Callout>
  );
}
