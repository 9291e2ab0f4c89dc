import { expect, test } from 'vitest';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { CAPTURES_KEPT_MS } from '../../../../src/app/isolation/prune-captures.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { tool } from '../../../support/stand-ins.ts';

const ATTEMPTS = 3;
const later = () => Date.now() + CAPTURES_KEPT_MS + 60_000;

/** A run of several attempts. Its check passes once the last one has been made, or never. */
async function attempted(how: { readonly succeeds: boolean; readonly acceptPartialAfter?: number }) {
  const { root, commit, git, filesOf, write } = await repository({ '.gitignore': '.loopfold\n', 'a.txt': '0' });
  await commit();
  let attempt = 0;
  const one = tool('work', async () => {
    attempt += 1;
    await write({ 'a.txt': String(attempt) });
    return { output: 'written' };
  });
  const answers = Array.from({ length: ATTEMPTS }, (_, turn) => [
    { calls: [{ tool: 'work', arguments: { turn } }] },
    { text: 'done' },
  ]).flat();
  const log = memoryLog();
  const loops = new Loops({ log, model: scriptedModel({ answers }), tools: [one] });
  const { acceptPartialAfter } = how;
  const live = await loops.start({
    prompt: 'count',
    loop: 'iteration',
    directory: root,
    // The first attempt passes most of them.
    checks: how.succeeds ? [`grep -q ${ATTEMPTS} a.txt`] : ['grep -q never a.txt', 'grep -q 1 a.txt'],
    tools: ['work'],
    detectors: [],
    maxIterations: ATTEMPTS,
    ...(acceptPartialAfter === undefined ? {} : { strategy: { name: 'hybrid', config: { acceptPartialAfter } } }),
  });
  const done = await live.done;
  if (done.kind !== 'ended') throw new TypeError(done.kind);
  const { outcome } = done;
  const names = async () =>
    (await git('for-each-ref', '--format=%(refname:lstrip=3)', `refs/loopfold/${live.run}`)).trim().split('\n');
  return { root, git, filesOf, loops, run: live.run, outcome, names };
}

test('X4 captures between start and end go long after a success, and its change is what it was', async () => {
  const { root, git, loops, run, outcome, names, filesOf } = await attempted({ succeeds: true });
  expect(outcome.ending).toBe('success');
  const before = await names();
  expect(before).toEqual(expect.arrayContaining(['0', '1', '2', '3', 'end']));
  expect((await loops.collectGarbage(root)).pruned).toEqual({ captures: 0, runs: 0 });
  const change = await loops.diff(run);
  const dry = await loops.collectGarbage(root, { now: later(), isDryRun: true });
  expect(await names()).toEqual(before);
  const { pruned } = await loops.collectGarbage(root, { now: later() });
  expect(pruned).toEqual(dry.pruned);
  expect(pruned.runs).toBe(1);
  const gone = before.filter((name) => ['1', '2'].includes(name));
  expect(await names()).toEqual(before.filter((name) => !gone.includes(name)));
  expect((await loops.collectGarbage(root, { now: later() })).pruned).toEqual({ captures: 0, runs: 0 });
  await git('reflog', 'expire', '--expire=now', '--all');
  await git('gc', '--quiet', '--prune=now');
  expect(change).toMatchObject({ kind: 'change', files: [{ path: 'a.txt' }] });
  expect(await loops.diff(run)).toMatchObject({ kind: 'change', files: [{ path: 'a.txt' }] });
  expect(await filesOf(`refs/loopfold/${run}/end`)).toMatchObject({ 'a.txt': String(ATTEMPTS) });
  expect(await loops.diff(run, { round: 1 })).toMatchObject({
    kind: 'no_capture',
    message: expect.stringContaining('gc removes captures between start and end'),
  });
  expect(await loops.undo(run)).toMatchObject({ kind: 'done' });
});

testInTurn('X4 an accepted result stays, and what can be extended does until an age is asked for', async () => {
  const accepted = await attempted({ succeeds: false, acceptPartialAfter: 2 });
  const ref = accepted.outcome.ending === 'success' ? accepted.outcome.accepted?.ref : null;
  const kept = ref?.split('/').at(-1) ?? 'none';
  expect(await accepted.names()).toEqual(expect.arrayContaining([kept, '3']));
  expect(kept).toBe('1');
  await accepted.loops.collectGarbage(accepted.root, { now: later() });
  expect(await accepted.names()).toContain(kept);
  const failed = await attempted({ succeeds: false });
  expect(failed.outcome.ending).toBe('cap_hit');
  const before = await failed.names();
  await failed.loops.collectGarbage(failed.root, { now: later() });
  expect(await failed.names()).toEqual(before);
  await failed.loops.collectGarbage(failed.root, { now: later(), olderThanMs: CAPTURES_KEPT_MS });
  expect(await failed.names()).not.toContain('1');
});
