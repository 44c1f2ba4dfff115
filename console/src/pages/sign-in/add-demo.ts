import { send } from '../../api/client';
import { ApiError } from '../../api/errors';

/** Adds the demo server, or returns the existing one. */
export async function addDemo(): Promise<{ id: number }> {
  try {
    const response = await send('post', '/demo');
    // The response is a server, of which only the id is needed.
    return (await response.json()) as { id: number };
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 404)
      throw new ApiError(
        'This service has no demo server: it was built without it, or is an older version.',
        404,
        cause.code,
      );
    throw cause;
  }
}
