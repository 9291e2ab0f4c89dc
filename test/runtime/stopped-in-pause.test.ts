import { expect, test } from 'vitest';
import { open, type Outstanding } from '../../src/kernel/fold.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { stoppedIn } from '../../src/runtime/recovery.ts';
import { timeAt } from '../support/given.ts';
import * as has from '../support/facts.ts';

const call = (key: string, more: Partial<Outstanding>): Outstanding => ({
  effect: `4/${key}`,
  key: `call.${key}`,
  actor: 'runTool',
  input: {},
  attempt: 1,
  told: true,
  ...more,
});

test('of what a pause has stopped, that which was at work is recorded as told to stop', () => {
  const opened = open({ ...has.turnStarted(), version: 1, at: timeAt(0) });
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const outstanding = [
    call('0.0', {}),
    call('0.1', { told: false }),
    call('0.2', { queued: true }),
    call('0.3', { actor: 'runAgent' }),
  ];
  expect(stoppedIn({ ...opened.state, outstanding }, turnLoop)).toEqual([
    {
      event: { type: 'tool.interrupted', payload: { callId: '0.0', reason: 'it was told to stop' } },
      causation: '4/0.0',
    },
  ]);
});
