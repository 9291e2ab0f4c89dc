import { randomUUID } from 'node:crypto';
import { access, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filter, firstValueFrom } from 'rxjs';
import { createActor, toPromise, waitFor } from 'xstate';
import { expect, test, vi } from 'vitest';
import { loopLogic, type LoopInput } from '../../../src/hosts/xstate/index.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { repository } from '../../git/repository.ts';
import { ask, factsOf, leftWaiting, office, resumed, untilWaiting } from './office.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { processesWith } from '../../support/processes-with.ts';
import { tenthOf } from '../../support/tenth.ts';

const FILE = '.claude/ralph-loop.local.md';
const damages = {
  calls: [{ tool: 'shell', arguments: { command: `sed -i 's/iteration: 1/iteration: many/' ${FILE}` } }],
};
const SCRIPT = {
  attempts: [{ answers: [damages, { text: 'Not yet.' }] }, { answers: [{ text: '<promise>TASK COMPLETE</promise>' }] }],
};

const WORKS = { text: 'later', delayMs: 3_600_000 };

async function task() {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const path = join(root, FILE);
  const mend = async () => writeFile(path, (await readFile(path, 'utf8')).replace('iteration: many', 'iteration: 1'));
  const options = {
    loop: 'ralph',
    labels: ['ralph-wiggum-3'],
    directory: root,
    tools: ['shell'],
    checks: ['true'],
    checkIn: 'workspace' as const,
  };
  return { options, mend };
}

testInTurn('R4 in a program, too, a damaged file pauses the run, and a resume reads it again', async () => {
  // Given an agent that damages the state file of its loop
  const { loops, log, start } = office(SCRIPT);
  const { options, mend } = await task();
  const live = await start(options);
  // When the run looks at the file
  const end = await live.done;
  // Then it has left this process, and the inbox says what to do
  expect(end).toEqual({ kind: 'paused' });
  expect(await log.holder(live.run)).toBeNull();
  const says = expect.stringMatching(/^mend \S+:3, or remove it: iteration: expected/);
  expect(await loops().inbox()).toMatchObject([{ kind: 'remedy', run: live.run, text: says }]);
  // And a file that is still damaged pauses it again, while a mended one lets it go on
  expect(await (await resumed(loops(), live.run)).done).toEqual({ kind: 'paused' });
  await mend();
  expect(await (await resumed(loops(), live.run)).done).toMatchObject({ outcome: { ending: 'success' } });
  const pauses = await factsOf(log, live.run, 'run.paused');
  expect(pauses.map(({ payload }) => payload)).toEqual([{ by: 'waiting' }, { by: 'waiting' }]);
});

testInTurn('R4 an actor whose run is paused by a damaged file waits for `resume`', async () => {
  // Given the actor of such a run
  const log = memoryLog();
  const { options, mend } = await task();
  const input: LoopInput = { prompt: 'Do it.', ...options };
  const actor = createActor(loopLogic({ log, model: scriptedModel(SCRIPT) }), { input }).start();
  // When the file is damaged
  const { context } = await waitFor(actor, ({ context }) => context.paused === 'waiting' && context.servedBy === null);
  // Then nothing happens until it is mended and the actor is told so
  await mend();
  actor.send({ type: 'resume' });
  expect((await toPromise(actor)).outcome.ending).toBe('success');
  expect(await factsOf(log, context.run, 'run.paused')).toHaveLength(1);
});

testInTurn(
  'R4 an agent whose command does not end when it is asked to forges no edit of a person by a pause',
  async () => {
    // Given a command that ignores SIGTERM, and writes to the state file again and again
    const raise = `sed 's/^max_iterations: .*/max_iterations: 90/' ${FILE} > .claude/x && mv .claude/x ${FILE}`;
    const forges = {
      calls: [{ tool: 'shell', arguments: { command: `trap '' TERM; echo begun; while :; do ${raise}; done` } }],
    };
    const { loops, log, start } = office({ attempts: [{ answers: [forges, { text: 'Not yet.' }] }] });
    const { options } = await task();
    const live = await start({ ...options, checks: [], graceMs: 0 });
    await firstValueFrom(live.deltas.pipe(filter(({ kind, text }) => kind === 'output' && text.includes('begun'))));
    // When the run is paused, and resumed
    await live.pause('user');
    await live.done;
    const again = await resumed(loops(), live.run);
    await untilWaiting(again);
    // Then the edit waits for a person
    const edits = await factsOf(log, live.run, 'state_file.edited');
    expect(edits.map(({ payload }) => payload.edit)).toMatchObject([
      { by: 'unknown', held: true, changes: { maxIterations: 90 } },
    ]);
    await again.abort();
    await again.done;
  },
);

testInTurn(
  'R4 a detached command of an attempt that was given up forges no edit of a person in a later wait',
  async () => {
    // Given a command in a session of its own, which ignores SIGTERM and writes another maximum again and again
    const opens = `-e 's/^active: .*/active: true/' -e '/^deactivated_reason/d'`;
    const changes = `${opens} -e "s/^max_iterations: .*/max_iterations: $n/"`;
    const raise = `sed ${changes} ${FILE} > .claude/x && mv .claude/x ${FILE}`;
    const forges = `trap '' TERM; echo begun; n=50; while :; do n=$((n+1)); ${raise}; done`;
    const script = `forges-${randomUUID()}.sh`;
    const detaches = { calls: [{ tool: 'shell', arguments: { command: `setsid sh ${script} & wait` } }] };
    const { loops, log, start } = office({ attempts: [{ answers: [detaches] }] });
    const { options } = await task();
    await writeFile(join(options.directory, script), forges);
    // When the run is stopped without a grace, and its continuation asks whether the edit counts
    const live = await start({ ...options, checks: [], graceMs: 0 });
    await firstValueFrom(live.deltas.pipe(filter(({ kind, text }) => kind === 'output' && text.includes('begun'))));
    expect(processesWith(script)).not.toEqual([]);
    await live.abort();
    await live.done;
    const extended = await loops().extend(live.run, {});
    if (extended.kind !== 'live') throw new Error(`not extended: ${JSON.stringify(extended)}`);
    await untilWaiting(extended.live);
    const { run } = extended.live;
    await vi.waitFor(() => expect(processesWith(script)).toEqual([]), { timeout: 10_000 });
    await extended.live.pause('waiting');
    await extended.live.done;
    const again = await resumed(loops(), run);
    await untilWaiting(again);
    // Then no edit is one of a person
    const edits = await factsOf(log, run, 'state_file.edited');
    expect(edits.map(({ payload }) => payload.edit.by)).toEqual(['unknown', 'unknown']);
    await again.abort();
    await again.done;
  },
);

const DAMAGES: Readonly<Record<string, { says: string; damage: (path: string, text: string) => Promise<unknown> }>> = {
  'a bad line': {
    says: `mend ${FILE}:4, or remove it: max_iterations: expected`,
    damage: (path, text) => writeFile(path, text.replace('max_iterations: 3', 'max_iterations: -3')),
  },
  'a symbolic link': {
    says: `mend ${FILE}, or remove it: it is a symbolic link`,
    damage: async (path) => (await rename(path, `${path}.old`), await symlink(`${path}.old`, path)),
  },
  'too large': { says: 'it has more than', damage: (path) => truncate(path, 30_000_000) },
  'not UTF-8': { says: 'it is not UTF-8 text', damage: (path) => writeFile(path, Buffer.from([0xff, 0xfe])) },
  'of another session': {
    says: 'it is active, and its session_id is stranger',
    damage: (path, text) => writeFile(path, text.replace(/session_id: .*/, 'session_id: "stranger"')),
  },
};

test.each(tenthOf(Object.entries(DAMAGES)))(
  'R4 a file that is damaged while an attempt waits (%s) pauses the run when it is resumed, before a model is asked',
  async (_what, { says, damage }) => {
    // Given an attempt that waited for an answer, has it, and a file that was damaged meanwhile
    const script = {
      attempts: [{ answers: [{ calls: [ask('Which?')] }, { text: '<promise>TASK COMPLETE</promise>' }] }],
    };
    const harness = office(script);
    const { options } = await task();
    const run = await leftWaiting(harness, { ...options, tools: ['shell', 'ask_user'] });
    const path = join(options.directory, FILE);
    const sound = await readFile(path, 'utf8');
    await damage(path, sound);
    await harness.loops().answer(run, { text: 'This.' });
    for (let time = 1; time <= 2; time += 1) {
      // When the run is resumed
      expect(await (await resumed(harness.loops(), run)).done).toEqual({ kind: 'paused' });
      // Then it says what is to be mended, and no model was asked
      expect(await harness.loops().inbox()).toMatchObject([
        { kind: 'remedy', run, text: expect.stringContaining(says) },
      ]);
      expect(harness.requests).toHaveLength(1);
    }
    // And with the file mended, the attempt goes on
    await rm(path);
    await writeFile(path, sound);
    expect(await (await resumed(harness.loops(), run)).done).toMatchObject({ outcome: { ending: 'success' } });
    expect(harness.requests).toHaveLength(2);
  },
);

testInTurn.each(['clean', 'smudge', 'process'])(
  'R4 a %s filter that an agent sets forges no edit of a person',
  async (kind) => {
    // Given an agent that has git run a command of its own, which raises the maximum
    const { loops, log, start } = office({
      attempts: [{ answers: [{ calls: [{ tool: 'shell', arguments: { command: 'sh set.sh' } }] }, WORKS] }],
    });
    const { options } = await task();
    const path = join(options.directory, FILE);
    const raise = `sed -i 's/^max_iterations: .*/max_iterations: 90/' '${path}'; touch '${path}.ran'; cat`;
    await writeFile(join(options.directory, '.git/forge.sh'), raise);
    const filters = `git config filter.f.${kind} 'sh .git/forge.sh'; echo '* filter=f' > .gitattributes`;
    await writeFile(join(options.directory, 'set.sh'), `${filters}; echo set > set.txt`);
    // When the run is paused, looked at, and resumed
    const live = await start({ ...options, checks: [], graceMs: 0 });
    await vi.waitFor(() => access(join(options.directory, 'set.txt')), { timeout: 60_000 });
    await live.pause('user');
    await live.done;
    const text = await readFile(path, 'utf8');
    await loops().diff(live.run);
    const again = await resumed(loops(), live.run);
    // Then the command has not run, and the file is as the run has written it
    await again.abort();
    await again.done;
    expect(text).toContain('max_iterations: 3');
    expect(await access(`${path}.ran`).catch(() => 'not run')).toBe('not run');
    expect(await factsOf(log, live.run, 'state_file.edited')).toEqual([]);
  },
);
