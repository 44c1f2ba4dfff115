import { expect, it } from 'vitest';
import { latestOnly } from './latest-only';

it('work runs one at a time, and outdated requests are skipped', async () => {
  const started: number[] = [];
  let running = 0;
  const run = latestOnly(async (input: number) => {
    running += 1;
    started.push(input);
    expect(running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    if (input === 3) throw new Error('fails');
    return input * 10;
  });
  const results = await Promise.allSettled([run(1), run(2), run(3)]);
  expect(started).toEqual([1, 3]);
  expect(results[0]).toEqual({ status: 'fulfilled', value: 10 });
  expect(results[1]).toEqual({ status: 'fulfilled', value: undefined });
  expect(results[2]?.status).toBe('rejected');
  expect(await run(4)).toBe(40);
});
