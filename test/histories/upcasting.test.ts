import { expect, test } from 'vitest';
import { z } from 'zod';
import { fact, TurnEvent } from '../../machines/events.ts';
import type { PastPayload } from '../../machines/vocabulary.ts';
import type { Json } from '../../src/log/envelope.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { digestOf } from '../../src/replay/recording.ts';
import { replay } from '../../src/replay/replay-run.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { all } from '../../src/testing/log-contract/contract.ts';
import { logOf, readHistory } from './history.ts';

const told = readHistory(new URL('turn-success.jsonl', import.meta.url));
const run = told.runs[0]?.run ?? '';

/** As if results of tools had once been recorded with `call` and `said`: their schema of today would be the second. */
const asOnce = ({ callId, output, ...rest }: PastPayload) => ({ call: callId, said: output, ...rest });
const toToday = ({ call, said, ...rest }: PastPayload) => ({ callId: call, output: said, ...rest });

const others = TurnEvent.options.filter(({ shape }) => shape.type.value !== 'tool.completed');
const toolCompleted = fact('tool.completed', { callId: z.string(), output: z.string(), answer: z.string().optional() }, [toToday]);
const today: LoopDefinition = { ...turnLoop, events: z.union([...others, toolCompleted]) };

const once = {
  runs: told.runs,
  lines: told.lines.map((line) => (line.type === 'tool.completed' ? { ...line, payload: asOnce(line.payload as PastPayload) as Json } : line)),
};

test('a recording of an older schema folds to the same state at every version', async () => {
  expect(once.lines.filter(({ type }) => type === 'tool.completed').length).toBeGreaterThan(0);
  const log = await logOf(once);
  for (const { version, state } of told.lines) {
    const rebuilt = await rebuild(log, run, version, [today]);
    expect(rebuilt.kind === 'loaded' && digestOf(rebuilt.state, told.fields)).toBe(state);
  }
});

test('it is the same run when it is checked, and its log is not rewritten', async () => {
  const log = await logOf(once);
  const before = await all(log.read(run));
  expect(await replay({ run, events: log.read(run), closed: 'success' }, [today])).toMatchObject({ kind: 'same' });
  expect(await all(log.read(run))).toEqual(before);
});

test('without the way from the older schema, the run is refused at that event', async () => {
  const log = await logOf(once);
  const first = once.lines.find(({ type }) => type === 'tool.completed')?.version;
  expect(await rebuild(log, run, undefined, [turnLoop])).toMatchObject({ kind: 'unreadable', version: first, because: 'misfit' });
});
