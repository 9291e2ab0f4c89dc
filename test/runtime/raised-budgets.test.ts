import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../src/config/options.ts';
import { raising } from '../../src/cli/pages/next-commands.ts';
import { refusal } from '../../src/cli/pages/refusal-text.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { note } from '../support/stand-ins.ts';

const given: Partial<RunOptions> = { detectors: ['off'], maxToolCalls: 'none' };
const harness = () =>
  createHarness({
    tools: [note],
    model: ({ step }) => ({
      calls: [{ tool: 'note', arguments: { step } }],
      usage: { inputTokens: 1_000, outputTokens: 100 },
    }),
  });

describe('T12 a budget is raised by what the next call needs', () => {
  test('T12 less than that is refused, and that much goes on', async () => {
    const playing = harness();
    const { run, outcome } = await playing.play({ ...given, maxTokens: 4_000 });
    if (outcome.ending !== 'budget') throw new Error('it ends by its budget');
    const { used, next = 0 } = outcome.limit;
    const short = { ...outcome.limit, limit: used + next - 1 };
    expect(await playing.supervisor.extend(run, { limits: { maxTokens: used + next - 1 } })).toStrictEqual({
      kind: 'not_raised',
      limit: short,
    });
    const more = await ended(await playing.extend(run, { limits: { maxTokens: used + next } }));
    expect(more.spend.steps).toBeGreaterThan(used / 1_100);
  });

  test.each([{ maxTokens: 4_000 }, { maxSteps: 3, maxTokens: 90_000 }])(
    'T12 nothing was lost in a run that goes on: only what is used counts (%j)',
    async (caps) => {
      const playing = harness();
      const { run, spend } = await playing.play({ ...given, ...caps });
      const live = await playing.extend(run, { limits: { maxSteps: spend.steps + 2, maxTokens: 100_000 } });
      const more = await ended(live);
      expect(more.outcome).toMatchObject({ ending: 'cap_hit' });
      expect(more.spend).toEqual({
        inputTokens: 1_000 * more.spend.steps,
        outputTokens: 100 * more.spend.steps,
        steps: spend.steps + 2,
        toolCalls: more.spend.steps,
      });
      expect((await history(playing.log, live.run)).map(({ type }) => type)).not.toContain('model.interrupted');
    },
  );

  test('T12 the words name options in the units they take', () => {
    const limit = { name: 'cost_nano_usd', used: 1_900_000_000, limit: 2_000_000_000, next: 300_000_000 } as const;
    expect(raising('id', [limit], turnLoop)).toEqual([['extend', 'id', '--max-cost', '4.4']]);
    const said = refusal({ kind: 'not_raised', limit }, '0198c2f0-0000-7000-8000-000000000000').message;
    expect(said).toContain(
      'maxCost (--max-cost): expected more than the $1.9 already used, and about $0.3 for the next call, found $2',
    );
  });

  test('T12 a reserve for the summary has to leave tokens for the work', () => {
    expect(resolveSettings({ prompt: 'Go.', maxTokens: 500, summaryTokens: 500 })).toMatchObject({
      kind: 'refused',
      faults: [{ field: 'summaryTokens', expected: 'less than maxTokens (500): it is set aside from them' }],
    });
    expect(resolveSettings({ prompt: 'Go.', maxTokens: 501, summaryTokens: 500 }).kind).toBe('settings');
  });
});
