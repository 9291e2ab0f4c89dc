import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { loadRalphWiggumState } from '../../../src/ralph/index.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { history } from '../../support/run-history.ts';
import { receiver } from '../../support/webhook-receiver.ts';

const PROMISE = 'All of it works.\n\n<promise>TASK COMPLETE</promise>';
const STUCK = Array.from({ length: 5 }, () => 'I do not know how to go on.');

/** A run whose attempts give these answers. Each changes a file, so that no detector finds the same files again. */
async function ended(answers: readonly string[], options: Partial<RunOptions>) {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const inner = scriptedModel({ attempts: answers.map((text) => ({ answers: [{ text }] })) });
  let attempts = 0;
  const model = {
    ...inner,
    answer: (...asked: Parameters<typeof inner.answer>) => {
      attempts += 1;
      mkdirSync(join(root, 'work'), { recursive: true });
      writeFileSync(join(root, 'work', `${attempts}.txt`), `${attempts}`);
      return inner.answer(...asked);
    },
  };
  const log = memoryLog();
  const live = await new Loops({ log, model, environment: {} }).start({
    prompt: 'Make it work.',
    directory: root,
    ...options,
  });
  const activities = lastValueFrom(live.activities.pipe(toArray()));
  const done = await live.done;
  await live.reported;
  const decision = (await history(log, live.run)).findLast(({ type }) => type === 'decision.made');
  const payload = decision?.payload as { readonly reason: string } | undefined;
  return {
    root,
    reason: payload?.reason,
    outcome: 'outcome' in done ? done.outcome : null,
    last: (await activities).at(-1),
  };
}

describe('how a promise is told', () => {
  testInTurn.each([
    ['and the checks passed', ['true']],
    ['nothing was asked to be checked', []],
  ])('R2 R6 R7 R11 the state file, the activity and the webhook say that it was given: %s', async (also, checks) => {
    const { url, received } = await receiver();
    const { root, reason, last } = await ended(['Not yet.', PROMISE], {
      labels: ['ralph-wiggum-5'],
      checks,
      webhooks: [url],
    });
    expect(reason).toMatch(new RegExp(`^completion promise given[,;] ${also}$`));
    expect(loadRalphWiggumState(root)).toMatchObject({ active: false, iteration: 2, deactivatedReason: reason });
    expect(last).toMatchObject({ status: 'completed', reason });
    expect(JSON.parse(received.at(-1)?.body ?? '')).toMatchObject({ status: 'completed', reason });
  });

  testInTurn('R2 R7 a loop that asks for no promise ends by its checks, and says so', async () => {
    const { root, reason } = await ended([PROMISE], {
      labels: ['ralph-wiggum-5'],
      checks: ['true'],
      completionPromise: 'none',
    });
    expect(reason).toBe('the checks passed');
    expect(readFileSync(join(root, '.claude/ralph-loop.local.md'), 'utf8')).toContain('"the checks passed"');
  });
});

describe('what ends a loop under a label', () => {
  test('R1 L11 equal answers whose checks fail alike are no convergence: it reaches its maximum', async () => {
    const { outcome, reason } = await ended(STUCK, { labels: ['ralph-wiggum-5'], checks: ['false'] });
    expect(outcome).toMatchObject({ ending: 'cap_hit', limit: { name: 'iterations', used: 5 } });
    expect(reason).not.toContain('onvergence');
  });

  testInTurn('L11 the strategy alone converges, and its reason is told once', async () => {
    const { outcome, reason } = await ended(STUCK, { strategy: 'ralph', maxIterations: 5, checks: ['false'] });
    expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'convergence', count: 3 } });
    expect(reason).toBe('Convergence: the last 3 iterations fail in the same way, and their answers hardly differ');
  });
});
