/** Runs asynchronous work one at a time. Of the requests that arrive while it runs, only the latest is run next. */
export function latestOnly<Input, Output>(
  work: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output | undefined> {
  let running: Promise<unknown> | undefined;
  let latest: object | undefined;
  return async (input) => {
    const request = {};
    latest = request;
    while (running) await running;
    // A later request replaces this one.
    if (latest !== request) return undefined;
    const done = work(input);
    running = done.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await done;
    } finally {
      running = undefined;
    }
  };
}
