import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { captureFolder } from '../../../src/git/capture/capture-folder.ts';
import { readRecord } from '../../../src/git/worktree/worktree-record.ts';
import { isThere, placeAt } from '../../../src/git/worktree/worktree-place.ts';
import { repeatableExecution } from '../../../src/loops/shared/effects/execution.ts';
import { removingRefused } from '../../../src/loops/improvement/effects/evaluate-candidate.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { worktreesOf } from '../../hosts/local/isolation/isolated.ts';
import { CANDIDATE, factsBefore, night, SUMS, treeWith } from './night.ts';
import { killedAt } from './killed.ts';
import { oneProcess, RUN } from './one-process.ts';
import { tenthOf } from '../../support/tenth.ts';

const signal = () => new AbortController().signal;

async function begun(how: Parameters<typeof night>[0] = {}) {
  const at = await night(how);
  const found = await at.untouched();
  const facts = await factsBefore(at, null);
  return { ...at, found, before: facts, ...oneProcess(at.settings, at.store, facts) };
}

/** Where an answer says that the worktree of the experiment is. */
const preparedIn = (events: readonly { readonly type: string; readonly payload: object }[]) => {
  const [event] = events;
  if (event?.type !== 'experiment.prepared') throw new Error(JSON.stringify(events));
  return event.payload as { readonly directory: string; readonly base: string; readonly isolation: { top: string } };
};

const treeAt = async (directory: string, store: string) =>
  (await captureFolder({ directory, run: RUN, number: null, store }, signal()))?.hash;

testInTurn('I9 an experiment gets a worktree with exactly the files of the head, and its dependencies', async () => {
  const { run, settings, isolation, base, store, ...at } = await begun();
  const events = await run('prepareExperiment');
  const { directory, isolation: made } = preparedIn(events);
  expect(events).toEqual([
    {
      type: 'experiment.prepared',
      payload: {
        candidate: CANDIDATE.id,
        base,
        directory,
        isolation: { ...isolation, top: made.top, commit: undefined },
        dependencies: [{ path: 'node_modules', digest: expect.any(String), lasting: expect.any(String) }],
      },
    },
  ]);
  expect(made.top).not.toBe(isolation.top);
  expect(await treeAt(directory, store)).toBe(base);
  expect(await at.git('-C', directory, 'status', '--porcelain')).toBe('');
  expect(await readFile(join(directory, 'node_modules/dep/index.js'), 'utf8')).toBe('1\n');
  expect(await readRecord(placeAt(made.top))).toMatchObject({
    run: RUN,
    experiment: CANDIDATE.id,
    state: 'ready',
    store,
  });
  expect(await at.untouched()).toEqual(at.found);
});

testInTurn(
  'I3 after an integration an experiment begins with the new head, and the earlier worktree is gone',
  async () => {
    const { run, memory, base, store, before: facts, settings, ...at } = await begun();
    const first = preparedIn(await run('prepareExperiment')).directory;
    const tree = await treeWith(at, base, { 'sum.js': SUMS.fixed });
    const passed = (await factsBefore({ ...at, base, store, settings }, tree)).slice(-2);
    const integrating = oneProcess(settings, store, [...facts, ...passed]);
    await integrating.run('integrateCandidate');
    await expect(readdir(first)).rejects.toThrow('ENOENT');
    const next = [{ type: 'iteration.started', payload: { iteration: 1 } }, ...facts.slice(2)];
    const again = oneProcess(settings, store, [...integrating.facts, ...next]);
    const second = preparedIn(await again.run('prepareExperiment'));
    expect(second.base).toBe(tree);
    expect(second.directory).not.toBe(first);
    expect(await treeAt(second.directory, store)).toBe(tree);
  },
);

testInTurn('I9 a repeated preparation makes the worktree anew at the same place, whatever is there', async () => {
  const { run, settings, store, before, base } = await begun();
  const { directory, isolation } = preparedIn(await run('prepareExperiment'));
  await writeFile(join(directory, 'sum.js'), 'half');
  await rm(placeAt(isolation.top).record);
  const again = preparedIn(await oneProcess(settings, store, before).run('prepareExperiment'));
  expect(again.directory).toBe(directory);
  expect(await treeAt(directory, store)).toBe(base);
});

testInTurn('I9 a worktree that cannot be made refuses the candidate, with what to do, and leaves nothing', async () => {
  const { run, root } = await begun();
  const before = await worktreesOf(root);
  await rm(join(root, '.git/objects'), { recursive: true });
  const events = await run('prepareExperiment');
  expect(events).toMatchObject([
    { type: 'experiment.refused', payload: { candidate: CANDIDATE.id, fault: { code: expect.any(String) } } },
  ]);
  expect(await worktreesOf(root)).toEqual(before);
});

testInTurn('I9 told to stop it says so', async () => {
  const { run } = await begun();
  expect(await run('prepareExperiment', { signal: AbortSignal.abort('pause') })).toEqual([
    { type: 'preparation.interrupted', payload: { reason: 'pause' } },
  ]);
});

test.each(tenthOf(['record 1', 'record 2', 'experiment.prepared']))(
  'I9 a preparation that is killed at "%s" is made anew by the next process, at the same place',
  async (moment) => {
    const { settings, store, before, base, root, isolation } = await begun();
    await killedAt(moment, 'prepareExperiment', { settings, store, facts: before });
    const { directory, isolation: made } = preparedIn(
      await oneProcess(settings, store, before).run('prepareExperiment'),
    );
    expect(await treeAt(directory, store)).toBe(base);
    const names = (await worktreesOf(root)).filter((name) => !name.includes('.'));
    expect(names.toSorted()).toEqual([basename(isolation.top), basename(made.top)].toSorted());
  },
);

testInTurn.each([false, true])(
  'I9 after its evaluation, passed: %s, the worktree of a refused experiment is gone',
  async (passed) => {
    const { run, settings, memory } = await begun();
    const { isolation } = preparedIn(await run('prepareExperiment'));
    const payload = { candidate: CANDIDATE.id, passed, tier: null, reason: '', tree: null };
    const evaluating = removingRefused({
      execute: () =>
        repeatableExecution(async function* () {
          yield { type: 'evaluation.completed', payload };
        }),
    });
    const execution = evaluating.execute?.({ context: { run: RUN, settings }, memory, effect: {} } as never);
    if (execution?.kind !== 'actor') throw new Error('no actor executes it');
    for await (const event of execution.execute({ id: '', attempt: 1, signal: signal(), delta: () => {} }))
      expect(event.payload).toEqual(payload);
    expect(await isThere(isolation.top)).toBe(passed);
  },
);
