import { describe, expect, it } from 'vitest';
import {
  activityTexts,
  busiestFirst,
  compareWithYesterday,
  failingTools,
  last24HoursStart,
  type ToolStats,
} from './home';

const tool = (tool_id: number, server_id: number, calls: number, failures: number): ToolStats => ({
  tool_id,
  tool_name: `t${tool_id}`,
  server_id,
  server_name: `s${server_id}`,
  calls,
  failures,
  failure_rate: calls === 0 ? 0 : (failures / calls) * 100,
});

describe('failing tools', () => {
  const tools = [tool(1, 1, 100, 2), tool(2, 1, 5, 5), tool(3, 2, 9, 0), tool(4, 2, 10, 5)];
  const last = { tool_id: 2, time: '2026-11-15T10:00:00', reason: 'timeout', advice: null };

  it('are sorted by failures, then by failure rate', () => {
    expect(failingTools(tools, [], 9).map(({ tool_id }) => tool_id)).toEqual([2, 4, 1]);
    expect(failingTools(tools, [], 1)).toHaveLength(1);
  });

  it('include their last failed call', () => {
    const older = { ...last, time: '2026-11-15T09:00:00', reason: 'dns' };
    expect(failingTools(tools, [last, older], 2).map((failing) => failing.lastFailedCall)).toEqual([last, undefined]);
  });
});

it('sorts servers with calls before those without', () => {
  const servers = [{ id: 1 }, { id: 2 }, { id: 3 }];
  expect(busiestFirst(servers, [tool(1, 3, 5, 0), tool(2, 2, 3, 0), tool(3, 2, 3, 0)]).map(({ id }) => id)).toEqual([
    2, 3, 1,
  ]);
});

it('the comparison states the calls of yesterday', () => {
  expect(compareWithYesterday(3, 1204)).toBe('1,204 yesterday');
  expect(compareWithYesterday(3, 0)).toBe('none yesterday');
});

it('the last 24 hours include the current one', () => {
  expect(last24HoursStart(new Date('2026-11-15T23:37:12Z'))).toBe('2026-11-15T00:00:00');
  expect(last24HoursStart(new Date('2026-11-15T00:00:00Z'))).toBe('2026-11-14T01:00:00');
});

describe('the calls of a server', () => {
  it('are not stated while they load', () => {
    expect(activityTexts(undefined, false)).toBeUndefined();
  });

  it('are unknown after an error, as are the failures', () => {
    const unknown = { calls: 'unknown', failures: undefined, hasFailures: false };
    expect(activityTexts(undefined, true)).toEqual(unknown);
    expect(activityTexts([{ calls: 3, failures: 1 }], true)).toEqual(unknown);
  });

  it('are the sum of the hours', () => {
    const hours = [
      { calls: 1, failures: 0 },
      { calls: 2, failures: 2 },
    ];
    expect(activityTexts(hours, false)).toEqual({ calls: '3 calls', failures: '2 failed', hasFailures: true });
    expect(activityTexts([], false)).toEqual({ calls: '0 calls', failures: 'none failed', hasFailures: false });
  });
});
