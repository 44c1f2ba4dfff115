import { send } from '../../api/client';
import { ApiError } from '../../api/errors';

/** Adds the demo server, or finds the one that is there. */
export async function addDemo(): Promise<{ id: number }> {
  try {
    const response = await send('post', '/demo');
    // The reply is a server; more than its id is not needed here.
    return (await response.json()) as { id: number };
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 404)
      throw new ApiError('This service has no demo: it was left out, or is an older version.', 404, cause.code);
    throw cause;
  }
}
