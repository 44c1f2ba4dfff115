/** Error message for data that could not be loaded. */
import type { ApiError } from '../api/errors';
import { Button } from './Button';
import { Callout } from './Callout';

export interface LoadErrorProps {
  error: ApiError;
  /** For example "Could not load the servers". */
  title?: string | undefined;
  onRetry?: (() => void) | undefined;
}

export function LoadError({ error, title = 'Could not load the data', onRetry }: LoadErrorProps) {
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
