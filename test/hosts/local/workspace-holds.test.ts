import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunOptions } from '../../../src/config/options.ts';
import { sqliteHolds } from '../../../src/hosts/local/holds/sqlite-holds.ts';
import { WorkspaceHeldError } from '../../../src/app/holds/workspace-held-error.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import type { LiveRun } from '../../../src/app/running/live-runs.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { approvingLoop } from '../../support/approving-loop.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { note } from '../../support/stand-ins.ts';
import { ask, leftWaiting, office, resumed } from './office.ts';

const slow = { text: 'never', delayMs: 3_600_000 };
/** Whichever step it is asked for: a run that is continued asks again, where it had asked before it was stopped. */
const never = scriptedModel(() => slow);
const loops = (more: Partial<LoopsOptions> = {}) =>
  new Loops({ log: memoryLog(), model: never, tools: [note], ...more });
const writes: RunOptions = { prompt: 'x', loop: 'turn', tools: ['write'] };
const folder = async () => realpath(await temporaryFolder());

async function over(live: LiveRun): Promise<void> {
  await live.abort();
  await live.done;
}

const refusal = async (begun: Promise<unknown>): Promise<WorkspaceHeldError> => {
  const error = await begun.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WorkspaceHeldError)) throw new Error(`not refused for a workspace: ${String(error)}`);
  return error;
};

test('G11 a second run that may write in a folder is refused with the holder, and nothing is written', async () => {
  const directory = await folder();
  const first = await loops().start({ ...writes, directory });
  const log = memoryLog();
  const error = await refusal(loops({ log }).start({ ...writes, directory }));
  expect(error).toMatchObject({
    code: 'workspace_held',
    workspace: directory,
    holder: { run: first.run, workspace: directory, log: 'memory:', process: { pid: process.pid } },
  });
  expect(error.message).toMatch(
    /is held by run .*: process \d+ on .*, since \d{4}-.*Z, .*abort it; .*--isolate worktree$/,
  );
  expect(await log.runs()).toEqual([]);
  await over(first);
  await over(await loops({ log }).start({ ...writes, directory }));
});

test('G11 a run that has ended, was paused or failed to begin holds nothing', async () => {
  const directory = await folder();
  const log = memoryLog();
  const first = await loops({ log }).start({ ...writes, directory });
  await first.pause('user');
  await first.done;
  const failing = Object.assign(memoryLog(), {
    append: async () => {
      throw new Error('no disk');
    },
  });
  await expect(loops({ log: failing }).start({ ...writes, directory })).rejects.toThrow('no disk');
  const second = await loops().start({ ...writes, directory });
  const error = await refusal(loops({ log }).resume(first.run));
  expect(error.holder.run).toBe(second.run);
  await over(second);
  const live = await resumed(loops({ log }), first.run);
  expect((await refusal(loops().start({ ...writes, directory }))).holder.run).toBe(first.run);
  await over(live);
});

test('G11 a continuation holds the workspace under its own id, and two of one run exclude each other', async () => {
  const directory = await folder();
  const log = memoryLog();
  const asked = Promise.withResolvers<void>();
  const model = scriptedModel(() => {
    asked.resolve();
    return slow;
  });
  const first = await loops({ log, model }).start({ ...writes, directory });
  // Else it depends on the machine whether the continuation asks for the first step, or the second.
  await asked.promise;
  await over(first);
  const both = await Promise.allSettled([1, 2].map(() => loops({ log }).extend(first.run, { maxSteps: 9 })));
  const [won] = both.flatMap((one) =>
    one.status === 'fulfilled' && one.value.kind === 'live' ? [one.value.live] : [],
  );
  const [lost] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(lost).toBeInstanceOf(WorkspaceHeldError);
  if (!won) throw new Error('neither continuation began');
  expect((await refusal(loops().start({ ...writes, directory }))).holder.run).toBe(won.run);
  await over(won);
  await over(await loops().start({ ...writes, directory }));
});

describe('G11 what a run may do decides whether it holds its workspace', () => {
  const reading: RunOptions = { ...writes, tools: ['read', 'grep', 'ask_user'] };

  test('a turn that only reads neither holds nor is refused', async () => {
    const directory = await folder();
    const reader = await loops().start({ ...reading, directory });
    const writer = await loops().start({ ...writes, directory });
    await over(await loops().start({ ...reading, directory }));
    await over(reader);
    await over(writer);
  });

  test.each([
    ['the shell', { tools: ['shell'] }],
    ["a tool of one's own", { tools: ['note'] }],
    ['a task given to another agent', { tools: ['delegate'] }],
    ['checks', { tools: [], checks: ['true'] }],
  ])('%s holds it', async (_, more) => {
    const directory = await folder();
    const live = await loops().start({ ...writes, directory, ...more });
    await refusal(loops().start({ ...writes, directory }));
    await over(live);
  });

  test("a loop of one's own holds it while it waits in a process, and not after", async () => {
    const { root, commit } = await repository({ 'a.txt': 'a' });
    await commit();
    const own = office({ attempts: [{ answers: [{ text: 'Done.' }] }] }, { loops: [approvingLoop] });
    const live = await own.start({ loop: 'approving', directory: root });
    await refusal(loops().start({ ...writes, directory: root }));
    await over(live);
    const asking = office({ answers: [{ calls: [ask('Tabs?')] }, { text: 'done' }] }, { tools: [note] });
    await leftWaiting(asking, { directory: root });
    await over(await loops().start({ ...writes, directory: root }));
  });
});

test('G11 a folder inside, a folder around and a symbolic link are the same workspace; a sibling is not', async () => {
  const directory = await folder();
  const [inside, sibling, link] = ['a/b', 'a-b', 'link'].map((path) => join(directory, path));
  await mkdir(inside ?? '', { recursive: true });
  await mkdir(sibling ?? '');
  await symlink(join(directory, 'a'), link ?? '');
  const first = await loops().start({ ...writes, directory: join(directory, 'a') });
  for (const taken of [inside, directory, link])
    expect((await refusal(loops().start({ ...writes, directory: taken ?? '' }))).holder.run).toBe(first.run);
  await over(await loops().start({ ...writes, directory: sibling ?? '' }));
  await over(first);
});

testInTurn('G11 an isolated run holds its worktree, and not the folder it was made from', async () => {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const first = await loops().start({ ...writes, directory: root });
  const isolated = await loops().start({ ...writes, directory: root, isolate: 'worktree' });
  const another = await loops().start({ ...writes, directory: root, isolate: 'worktree' });
  await refusal(loops().start({ ...writes, directory: root }));
  for (const live of [first, isolated, another]) await over(live);
});

test('G11 a registry that cannot be used is warned about once, and hinders no run', async () => {
  const directory = await folder();
  const file = join(await folder(), 'file');
  await writeFile(file, 'no database, and no folder');
  for (const holds of [join(file, 'holds.db'), file]) {
    const warnings: string[] = [];
    const host = loops({ holds, warn: (message) => warnings.push(message) });
    const both = [await host.start({ ...writes, directory }), await host.start({ ...writes, directory })];
    expect(warnings).toEqual([expect.stringContaining(`${holds} cannot be used`)]);
    for (const live of both) await over(live);
  }
});

test('G11 a host that keeps its runs apart itself has no registry', async () => {
  const directory = await folder();
  const host = loops({ holds: null });
  const both = [await host.start({ ...writes, directory }), await host.start({ ...writes, directory })];
  for (const live of both) await over(live);
});

test('G11 a holder of another machine counts as dead when it has given no sign for long', async () => {
  const path = join(await folder(), 'deep', 'holds.db');
  let now = Date.parse('2026-11-23T00:00:00Z');
  const holds = sqliteHolds(path, () => now);
  const wanted = { run: 'one', workspace: '/w', log: 'memory:', isOver: false };
  const first = holds.take(wanted);
  if (first.kind !== 'taken') throw new Error(first.kind);
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const elsewhere = new DatabaseSync(path);
  elsewhere.exec("UPDATE holds SET host = 'elsewhere'");
  elsewhere.close();
  now += 90_000;
  expect(holds.take({ ...wanted, run: 'two' })).toMatchObject({ kind: 'held', by: { run: 'one' } });
  now += 1;
  expect(holds.take({ ...wanted, run: 'two' })).toMatchObject({ kind: 'taken' });
});

describe('G11 a hold whose row is gone', () => {
  const RENEWAL_MS = 15_000;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  /** Removes the rows of a registry, as a process does that takes their holders for dead. */
  async function emptied(path: string): Promise<void> {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const registry = new DatabaseSync(path);
    registry.exec('DELETE FROM holds');
    registry.close();
  }

  test('is written again where the workspace is free', async () => {
    const [directory, path] = [await folder(), join(await folder(), 'holds.db')];
    const first = await loops({ holds: path }).start({ ...writes, directory });
    await emptied(path);
    vi.advanceTimersByTime(RENEWAL_MS);
    const error = await refusal(loops({ holds: path }).start({ ...writes, directory }));
    expect(error.holder.run).toBe(first.run);
    await over(first);
    await over(await loops({ holds: path }).start({ ...writes, directory }));
  });

  test('pauses its run, with a warning, where another one has the workspace', async () => {
    const [directory, path] = [await folder(), join(await folder(), 'holds.db')];
    const warnings: string[] = [];
    const first = await loops({ holds: path, warn: (text) => warnings.push(text) }).start({ ...writes, directory });
    await emptied(path);
    const second = await loops({ holds: path }).start({ ...writes, directory });
    vi.advanceTimersByTime(RENEWAL_MS);
    expect(await first.done).toMatchObject({ kind: 'paused' });
    expect(warnings).toEqual([expect.stringContaining(`run ${first.run} is paused: run ${second.run} has taken`)]);
    expect((await refusal(loops({ holds: path }).start({ ...writes, directory }))).holder.run).toBe(second.run);
    await over(second);
  });
});
