import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, test, vi } from 'vitest';
import { DEPENDENCY_FOLDERS } from '../../../../src/options/defaults.ts';
import { resolveSettings } from '../../../../src/config/resolve.ts';
import { inItsWorktree } from '../../../../src/app/isolation/isolate-run.ts';
import type { Log } from '../../../../src/log/log.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';

/** As many files as git writes by several processes. */
const MANY = 100;

afterEach(() => void vi.unstubAllEnvs());

/** The commands of git that run meanwhile, also those that git starts itself. */
async function startsDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  const events = join(folder, 'events');
  vi.stubEnv('GIT_TRACE2_EVENT', events);
  await work();
  vi.unstubAllEnvs();
  const said = (await readFile(events, 'utf8')).trim().split('\n');
  return said.map((line) => JSON.parse(line)).flatMap(({ event, name }) => (event === 'cmd_name' ? [name] : []));
}

async function isolated(directory: string, log: Log): Promise<void> {
  const resolved = resolveSettings({ prompt: 'Do it.', directory });
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  const isolated = { dependencies: DEPENDENCY_FOLDERS, from: 'files' } as const;
  await inItsWorktree({ log }, uuidv7(), { ...resolved, isolated });
}

async function project() {
  const paths = Array.from({ length: MANY }, (_, index) => [`src/${index}.ts`, `${index}`]);
  const made = await repository({
    '.gitignore': 'node_modules/\n',
    'node_modules/x/i.js': '1',
    ...Object.fromEntries(paths),
  });
  await made.commit();
  await made.write({ 'new.ts': '' });
  return made;
}

const QUESTIONS = ['rev-parse', 'cat-file', 'config', 'for-each-ref', 'ls-files'];
/** Once for a repository, in a process: what its file system can do. */
const FILE_SYSTEM = 'config';
const RULES = ['rev-parse', 'config', 'ls-files', 'ls-files', 'check-ignore'];
const CAPTURE = ['ls-files', 'update-index', 'ls-files', 'add', 'write-tree', 'update-ref'];
const KEPT = ['hash-object', 'update-ref', 'hash-object', 'update-ref'];
/** Whether git stores something else than the bytes of its files. */
const STORED = 'ls-tree';
/** The commit that it is made from. */
const HEAD = 'update-ref';
/** Of the commit, and of what is not committed. */
const CHECKOUTS = ['read-tree', 'read-tree'];
/** The repositories within: those that are filled, and those that stay empty. */
const WITHIN = ['ls-files', 'ls-files'];

test('X4 a worktree takes 28 starts of git, and its files are written on all processors', async () => {
  const { root } = await project();
  const starts = await startsDuring(() => isolated(root, memoryLog()));
  const workers = availableParallelism() === 1 ? 0 : Math.min(availableParallelism(), 8);
  const expected = [
    ...QUESTIONS,
    FILE_SYSTEM,
    ...RULES,
    ...CAPTURE,
    ...KEPT,
    STORED,
    HEAD,
    'commit-tree',
    ...CHECKOUTS,
    ...WITHIN,
  ];
  expect(starts.toSorted()).toEqual(
    [...expected, ...Array.from({ length: workers }, () => 'checkout--worker')].toSorted(),
  );
});

testInTurn('X4 its files are written once where all of them are committed', async () => {
  const { root, commit } = await project();
  await commit();
  const starts = await startsDuring(() => isolated(root, memoryLog()));
  expect(starts.filter((name) => name === 'read-tree')).toHaveLength(1);
});

testInTurn('X4 it takes no more of them where the worktrees of others are in use', async () => {
  const { root } = await project();
  const log = memoryLog();
  await isolated(root, log);
  const alone = await startsDuring(() => isolated(root, log));
  for (let more = 0; more < 3; more += 1) await isolated(root, log);
  const among = await startsDuring(() => isolated(root, log));
  expect(among.toSorted()).toEqual(alone.toSorted());
});
