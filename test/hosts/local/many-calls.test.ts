import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_CALLS_A_STEP } from '../../../machines/turn.machine.ts';
import { ended } from '../../support/run-history.ts';
import { factsOf, office } from './office.ts';

const ASKED = 250;
const calls = Array.from({ length: ASKED }, (_, index) => ({
  tool: 'list',
  arguments: { path: '.', depth: index + 1 },
}));

test('T1 an answer with too many calls for one step does not end the turn: the model reads the refusals', async () => {
  const harness = office({ answers: [{ calls }, { text: 'done' }] });
  const live = await harness.start({
    tools: ['list'],
    maxToolCalls: 'none',
    detectors: ['off'],
    directory: mkdtempSync(join(tmpdir(), 'loopfold-')),
  });
  expect((await ended(live)).outcome).toMatchObject({ ending: 'success' });
  const [admission] = await factsOf(harness.log, live.run, 'calls.admitted');
  expect(admission?.payload.run).toHaveLength(MAX_CALLS_A_STEP);
  expect(admission?.payload.refused).toHaveLength(ASKED - MAX_CALLS_A_STEP);
  const told =
    harness.requests
      .at(-1)
      ?.messages.map((message) => JSON.stringify(message))
      .join('\n') ?? '';
  const refusal = `refused: at most ${MAX_CALLS_A_STEP} calls of one answer run; ask for the rest again`;
  expect(told.split(refusal)).toHaveLength(ASKED - MAX_CALLS_A_STEP + 1);
});
