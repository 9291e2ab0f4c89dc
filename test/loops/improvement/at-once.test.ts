import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { repository } from '../../git/repository.ts';
import type { ScriptedAnswer } from '../../../src/actors/model/script.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';
import { worktreesOf } from '../../hosts/local/isolation/isolated.ts';
import { factsOf, office } from '../../hosts/local/office.ts';

const tested = (name: string, test: string): string =>
  `const { readFileSync } = require('node:fs');
const { equal } = require('node:assert');
require('node:test').test('${name}', () => ${test});
`;
const FILES = {
  '.gitignore': '.loopfold\n',
  'kept.txt': 'it stays\n',
  'one.js': 'open\n',
  'two.js': 'open\n',
  'one.test.js': tested('one', "equal(readFileSync('one.js', 'utf8'), 'sorted\\n')"),
  'two.test.js': tested('two', "equal(readFileSync('two.js', 'utf8'), 'sorted\\n')"),
  'kept.test.js': tested('kept', "equal(readFileSync('kept.txt', 'utf8'), 'it stays\\n')"),
};

const wrote = (path: string, content: string): ScriptedAnswer => ({
  calls: [{ tool: 'write', arguments: { path, content } }],
});
const shell = (command: string): ScriptedAnswer => ({ calls: [{ tool: 'shell', arguments: { command } }] });
const DONE: ScriptedAnswer = { text: 'Done.' };
const USAGE = { inputTokens: 400, outputTokens: 100 };

/** A night of two experiments at once. `answers`: what the model says to the steps of one about this file. */
async function atOnce(answers: (name: string, step: number) => ScriptedAnswer | Promise<ScriptedAnswer>) {
  const repo = await repository(FILES);
  await repo.git('config', 'user.name', 'Grace');
  await repo.git('config', 'user.email', 'grace@example.org');
  await repo.commit();
  const { start, log } = office(async ({ messages, step }) => {
    const [task] = messages;
    const name = /one respect: Test fails: (\w+)/.exec(task && 'text' in task ? task.text : '')?.[1];
    return { usage: USAGE, ...(name === undefined ? { text: 'Done.' } : await answers(name, step)) };
  });
  const phases = {
    discovery: { sources: ['failing-tests'] },
    experiment: { maxParallel: 2, useBatchAPI: false },
  };
  const live = await start({
    loop: 'improvement',
    directory: repo.root,
    detectors: ['off'],
    tools: ['read', 'write', 'shell'],
    checks: [`L1:${NODE_TESTS}`],
    maxIterations: 2,
    maxTokens: 1_000_000,
    options: { phases },
  } as never);
  const end = await live.done;
  const facts = <Type extends Parameters<typeof factsOf>[2]>(type: Type) => factsOf(log, live.run, type);
  const branch = `loopfold/${live.run}`;
  return { ...repo, end, facts, branch };
}

/** Says so once both are asked, so that neither is over before the other has begun. */
function meeting() {
  const here = new Set<string>();
  const all = Promise.withResolvers<void>();
  return (name: string) => {
    if (here.add(name).size === 2) all.resolve();
    return all.promise;
  };
}

test('I3 two experiments run at once, the first wins, the second is stopped, and its cost is kept', async () => {
  const meet = meeting();
  let begun = 0;
  const { root, git, end, facts, branch } = await atOnce(async (name, step) => {
    await meet(name);
    if (name === 'one') return step === 0 ? wrote('one.js', 'sorted\n') : DONE;
    if (step === 0) begun += 1;
    // It works on until it is stopped. In the next iteration it is alone, and soon done.
    if (begun > 1) return step === 0 ? wrote('two.js', 'sorted\n') : DONE;
    await sleep(300);
    return wrote('two.js', `step ${step}\n`);
  });
  expect(end).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  const [one, two, again] = await facts('experiment.started');
  expect([again?.payload.candidate, again?.payload.built]).toEqual([two?.payload.candidate, undefined]);
  // Each has its estimate, and its part of what is left beyond it.
  const shares = [one, two].map((fact) => fact?.payload.reserved?.tokens ?? 0);
  for (const share of shares) expect(share).toBeGreaterThan(100_000);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThan(1_000_000);
  const settled = (await facts('child.settled')).filter(({ payload }) => payload.lane === two?.payload.candidate);
  const [stopped, finished] = settled.map(({ payload }) => payload);
  expect(stopped?.outcome).toMatchObject({ ending: 'abort', cause: 'parent' });
  expect(stopped?.spend.inputTokens).toBeGreaterThanOrEqual(USAGE.inputTokens);
  expect(finished?.outcome.ending).toBe('success');
  expect(await facts('integration.completed')).toHaveLength(2);
  expect(await git('show', `${branch}:one.js`)).toBe('sorted\n');
  expect(await git('show', `${branch}:two.js`)).toBe('sorted\n');
  expect(await readFile(join(root, 'one.js'), 'utf8')).toBe(FILES['one.js']);
  expect(await worktreesOf(root)).toEqual([]);
});

testInTurn('I3 what was built beside the winner is applied to the newer head, and evaluated again whole', async () => {
  const meet = meeting();
  const secondIsDone = Promise.withResolvers<void>();
  const { git, end, facts, branch, root } = await atOnce(async (name, step) => {
    await meet(name);
    if (step === 0) return wrote(`${name}.js`, 'sorted\n');
    if (name === 'two') secondIsDone.resolve();
    else await secondIsDone.promise.then(() => sleep(1_000));
    return DONE;
  });
  expect(end).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  const started = (await facts('experiment.started')).map(({ payload }) => payload);
  const [one, two] = started;
  expect(started.slice(2)).toEqual([{ candidate: two?.candidate, built: true }]);
  // Nothing is paid for it again.
  expect((await facts('child.settled')).map(({ payload }) => payload.lane)).toEqual([two?.candidate, one?.candidate]);
  const [first, second] = (await facts('candidate.built')).map(({ payload }) => payload);
  expect([first?.candidate, second?.candidate]).toEqual([one?.candidate, two?.candidate]);
  // It began with the same head as the first, and is evaluated on the one after it: the checks ran on both changes.
  expect(second?.base).toBe(first?.base);
  const tiers = (await facts('tier.completed')).map(({ payload }) => payload);
  const ofSecond = tiers.filter(({ candidate }) => candidate === two?.candidate).map(({ tier }) => tier);
  expect(ofSecond).toEqual(expect.arrayContaining(['applies', 'grounds', 'L1', 'resolves']));
  const kept = (await facts('integration.completed')).map(({ payload }) => payload);
  expect(kept.map(({ candidate }) => candidate)).toEqual([one?.candidate, two?.candidate]);
  expect(kept[1]?.tree).not.toBe(second?.tree);
  expect(await git('show', `${branch}:one.js`)).toBe('sorted\n');
  expect(await git('show', `${branch}:two.js`)).toBe('sorted\n');
  expect(await worktreesOf(root)).toEqual([]);
});

testInTurn('I3 where the first is refused, the second is evaluated, and kept in the same iteration', async () => {
  const meet = meeting();
  const { git, end, facts, branch } = await atOnce(async (name, step) => {
    await meet(name);
    if (step > 0) return DONE;
    return name === 'one' ? shell('rm kept.txt one.js') : wrote('two.js', 'sorted\n');
  });
  expect(end).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  const evaluated = (await facts('evaluation.completed')).map(({ payload: { passed, tier } }) => [passed, tier]);
  expect(evaluated).toEqual([
    [false, 'L1'],
    [true, null],
  ]);
  expect(
    (await facts('decision.made')).filter(({ payload }) => payload.reason.includes('left; the next')),
  ).toHaveLength(1);
  expect(await git('show', `${branch}:two.js`)).toBe('sorted\n');
});
