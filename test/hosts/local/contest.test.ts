import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { git, repository } from '../../git/repository.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';
import { testInTurn } from '../../support/in-turn.ts';

const SUM = {
  'sum.mjs': 'export const sum = (a, b) => a - b;\n',
  'sum.test.mjs': [
    "import { test } from 'node:test';",
    "import assert from 'node:assert';",
    "import { sum } from './sum.mjs';",
    "test('adds', () => assert.equal(sum(1, 2), 3));",
  ].join('\n'),
};
const HONEST = String.raw`cmd:sed -i 's/a - b/a + b/' sum.mjs`;
const WORDY = String.raw`cmd:sed -i 's/a - b/a + b + 0 + 0/; s/$/\n\n\n/' sum.mjs`;
const CHEAT = String.raw`cmd:sed -i 's/3)/-1)/' sum.test.mjs`;
const IDLE = 'cmd:true';

/** A contest in a repository of its own, with what is in the folder at its end. */
async function contested(options: Partial<RunOptions>, files: Readonly<Record<string, string>> = SUM) {
  const { root, commit } = await repository(files);
  await commit();
  const loops = new Loops({ log: memoryLog() });
  const task = { prompt: 'Make the tests pass.', directory: root, checks: [NODE_TESTS], maxIterations: 1 };
  const live = await loops.start({ ...task, attempts: 2, ...options });
  const end = await live.done;
  if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
  const facts = (await lastValueFrom(loops.events(live.run).pipe(toArray()))) as unknown as readonly LoopEvent[];
  const sum = await readFile(join(root, 'sum.mjs'), 'utf8');
  return { root, loops, run: live.run, outcome: end.outcome, facts, sum };
}

const payloadsOf = <Type extends LoopEvent['type']>(facts: readonly LoopEvent[], type: Type) =>
  facts.flatMap((fact) => (fact.type === type ? [fact.payload as EventOf<Type>['payload']] : []));

describe('a contest of attempts', () => {
  test('X6 an honest agent wins against one that edits the tests, and the folder has its change, proven', async () => {
    const { outcome, facts, sum, root, loops, run } = await contested({ agents: [CHEAT, HONEST] });
    expect(outcome).toMatchObject({ ending: 'success', verified: { grade: 'witnessed' } });
    expect(sum).toContain('a + b');
    expect(await git(root, 'status', '--porcelain')).toBe(' M sum.mjs\n');
    const decided = payloadsOf(facts, 'attempts.compared').at(-1);
    expect(decided).toMatchObject({ leader: '2', isDecided: true });
    const cheat = decided?.attempts.find(({ lane }) => lane === '1');
    expect(['fails', 'ended early']).toContain(cheat?.place);
    expect(payloadsOf(facts, 'decision.made').at(-1)?.reason).toMatch(/^attempt 2 of 2 has won: the checks passed/);
    // Judged again from the log alone, it comes to the same.
    expect(await loops.redecide(run, {})).toMatchObject({ kind: 'redecided', tree: { conclusion: 'agrees' } });
  });

  testInTurn('X6 of two that are proven alike the smaller change wins, and the budget is one', async () => {
    const { sum, facts } = await contested({ agents: [WORDY, HONEST], checks: [], loop: 'turn', maxTokens: 1_000 });
    expect(sum).toBe('export const sum = (a, b) => a + b;\n');
    const [first, second] = payloadsOf(facts, 'iteration.started');
    expect([first?.reserved?.tokens, second?.reserved?.tokens]).toEqual([500, 500]);
    expect(payloadsOf(facts, 'attempts.compared').at(-1)?.because).toMatch(/a smaller change/);
  });

  testInTurn('X6 where no attempt stands, the folder stays as it is', async () => {
    const { outcome, root } = await contested({ agents: [CHEAT, IDLE], parallel: 1 });
    expect(outcome).toMatchObject({ ending: 'cap_hit', limit: { name: 'iterations', used: 2, limit: 2 } });
    expect(await git(root, 'status', '--porcelain')).toBe('');
  });

  testInTurn('X6 the change is merged with what a person has changed meanwhile', async () => {
    const { root, commit } = await repository(SUM);
    await commit();
    const loops = new Loops({ log: memoryLog() });
    const task = { prompt: 'Mend it.', directory: root, checks: [NODE_TESTS], maxIterations: 1, agents: [HONEST] };
    const live = await loops.start({ ...task, attempts: 1 });
    await writeFile(join(root, 'mine.txt'), 'mine');
    expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
    expect(await git(root, 'status', '--porcelain')).toBe(' M sum.mjs\n?? mine.txt\n');
  });

  testInTurn('X6 a change that no longer fits ends the run, and nothing is written', async () => {
    const { root, commit } = await repository(SUM);
    await commit();
    const loops = new Loops({ log: memoryLog() });
    const slow = `${HONEST}; until test -f ${join(root, 'sum.mjs')}.mine; do sleep 0.05; done`;
    const task = { prompt: 'Mend it.', directory: root, checks: [NODE_TESTS], maxIterations: 1, agents: [slow] };
    const live = await loops.start({ ...task, attempts: 1, sandbox: 'off' });
    await writeFile(join(root, 'sum.mjs'), 'export const sum = () => 5;\n');
    await writeFile(join(root, 'sum.mjs.mine'), '');
    const end = await live.done;
    expect(end).toMatchObject({ outcome: { ending: 'abort', fault: { code: 'change_not_brought' } } });
    expect(await readFile(join(root, 'sum.mjs'), 'utf8')).toContain('=> 5');
  });

  testInTurn('X6 a reason that all attempts end for ends the contest', async () => {
    const { outcome } = await contested({ agents: ['cmd:no-such-program-here'] });
    expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'agent_missing' } });
  });
});
