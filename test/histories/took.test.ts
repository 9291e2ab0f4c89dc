import { expect, test } from 'vitest';
import type { Json } from '../../src/log/envelope.ts';
import { digestOf } from '../../src/replay/recording.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { logOf, readHistory } from './history.ts';

const before = readHistory(new URL('turn-success.jsonl', import.meta.url));
const run = before.runs[0]?.run ?? '';
const isOfCall = (type: string) => type === 'tool.completed' || type === 'tool.failed';
const took = { wallMs: 60_021, cpuMs: 14 };
const now = {
  ...before,
  lines: before.lines.map((line) =>
    isOfCall(line.type) ? { ...line, schema: 2, payload: { ...(line.payload as object), took } as Json } : line,
  ),
};

test('D17 a recording without the times of its calls folds at every version to the state of one that has them', async () => {
  expect(new Set(before.lines.flatMap(({ type, schema }) => (isOfCall(type) ? [schema] : [])))).toEqual(new Set([1]));
  for (const log of [await logOf(before), await logOf(now)]) {
    for (const { version, state } of before.lines) {
      const rebuilt = await rebuild(log, run, version);
      expect(rebuilt.kind === 'loaded' && digestOf(rebuilt.state, before.fields)).toBe(state);
    }
  }
});
