import { expect, test } from 'vitest';
import type { RalphContext } from '../../../machines/ralph.machine.ts';
import { weighMaximum } from '../../../src/loops/ralph/growth.ts';

const weighed = (...passed: readonly (number | null)[]) => {
  const context = { iterations: passed.length, ceiling: 100, isAdaptive: true, limits: { maxIterations: 4 } };
  const file = { digest: null, maximum: null, ahead: 0, first: 4 };
  const state = { snapshot: { context: { ...context, file } as unknown as RalphContext } };
  return weighMaximum({ state } as never, { own: { passed } } as never);
};
const raised = { type: 'maximum.raised', payload: { from: 4, to: 6 } };

test.each([
  [[0, 1, 1, 2], raised],
  [[0, 1, 2, 2], raised],
  [[0, 2, 2, 2], { type: 'maximum.held' }],
  [[0, 3, 2, 1], { type: 'maximum.held' }],
  [[null, 1, null, 2], { type: 'maximum.held' }],
  [[1], { type: 'maximum.held' }],
] as const)('R9 the maximum grows where more checks passed in one of the last two iterations: %j', (passed, event) =>
  expect(weighed(...passed)).toMatchObject(event),
);
