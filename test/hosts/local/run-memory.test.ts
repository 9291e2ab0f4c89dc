import { expect, test } from 'vitest';
import type { FrozenMachine } from '../../../machines/index.ts';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';
import type { Conversation } from '../../../src/kernel/loop-definition.ts';
import { HandlerMemory } from '../../../src/loops/shared/handler-memory.ts';
import { laterVersions, SECOND } from '../../support/later-versions.ts';
import * as has from '../../support/facts.ts';
import { createHarness } from '../../support/harness.ts';

const settings = createHarness({ model: { answers: [{ text: 'x' }] } }).settingsOf({});
const fact = (version: number, event: Pick<Fact, 'type' | 'payload'>) =>
  ({ ...event, run: 'run', version, at: '2030-01-01T00:00:00.000Z' }) as Fact;
const migrated = fact(3, { type: 'run.migrated', payload: { from: 'turn@1', to: 'turn@2' } });

test('a migrated run uses the conversation of its new version, which receives the earlier one', () => {
  const [first, second] = laterVersions(SECOND);
  if (!first || !second) throw new Error('two versions');
  const shorter = (earlier?: Conversation): Conversation => ({
    observe: () => {},
    messages: () => [],
    answer: () => `after ${earlier?.answer()}`,
  });
  const versions = {
    ...first,
    migration: {
      to: { ...second, conversation: shorter },
      migrate: first.migration?.migrate ?? ((frozen: FrozenMachine) => frozen),
    },
  };
  const memory = new HandlerMemory('run', settings, () => [], versions);
  memory.observe(fact(1, has.turnStarted()));
  memory.observe(fact(2, has.modelAnswered));
  const said = memory.answer();
  memory.observe(migrated);
  expect(memory.answer()).toBe(`after ${said}`);
});
