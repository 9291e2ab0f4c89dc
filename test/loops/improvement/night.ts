import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { captureFolder } from '../../../src/git/capture/capture-folder.ts';
import { runRefs } from '../../../src/git/run-refs.ts';
import type { AnyEvent } from '../../../machines/events.ts';
import type { Discovery } from '../../../machines/improvement-facts.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { resolveSettings } from '../../../src/config/resolve.ts';
import { inItsWorktree } from '../../../src/app/isolation/isolate-run.ts';
import { takenBaseline } from '../../../src/verification/baseline-of-check.ts';
import { workingSubject } from '../../../src/verification/subject-in-folder.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { RUN } from './one-process.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';

/** One test that passes, and one that fails: what an improvement loop is for. */
export const FILES = {
  '.gitignore': '.loopfold\nnode_modules\n',
  'package.json': '{"type": "module"}\n',
  'sum.js': 'export const add = (a, b) => a + b;\nexport const twice = (a) => a * 3;\n',
  'sum.test.js': [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    "import { add, twice } from './sum.js';",
    "test('adds', () => assert.equal(add(1, 2), 3));",
    "test('doubles', () => assert.equal(twice(2), 4));",
    '',
  ].join('\n'),
};
const FIXED = 'export const add = (a, b) => a + b;\nexport const twice = (a) => a * 2;\n';
const BROKEN = 'export const add = (a, b) => a - b;\nexport const twice = (a) => a * 2;\n';
export const SUMS = { fixed: FIXED, broken: BROKEN };

export const CANDIDATE: Discovery = {
  id: 'failing-tests-3f2a91c0',
  title: 'sum.test.js: doubles fails',
  summary: 'expected 6 to equal 4',
  source: 'failing-tests',
  relevanceScore: 1,
  fingerprint: 'f'.repeat(64),
  check: 'test',
};

interface Night {
  readonly options?: object;
  /** Of the person, before the run begins. Absent: nothing that is not committed. */
  readonly uncommitted?: Readonly<Record<string, string>>;
  readonly from?: 'files' | 'HEAD';
  /** Absent: Node's own runner. With one of its own there are no walls, so that it may write anywhere. */
  readonly check?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A repository, and an improvement run in it that has begun, with the worktree that is the head of its loop. */
export async function night({ options = {}, uncommitted = {}, from = 'HEAD', files = FILES, check }: Night = {}) {
  const repo = await repository(files);
  await repo.git('config', 'user.name', 'Grace');
  await repo.git('config', 'user.email', 'grace@example.org');
  await repo.commit();
  await repo.write({ ...uncommitted, 'node_modules/dep/index.js': '1\n' });
  const store = `${repo.root}/.loopfold/log.db`;
  const log = openSqliteLog(store);
  const resolved = resolveSettings(
    { prompt: 'Improve it.', loop: 'improvement', model: 'script:none', directory: repo.root, maxTokens: 1_000_000 },
    { loops: shippedLoops },
  );
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  const asked = { ...resolved.settings, directory: repo.root, detectors: [], options: options as never };
  const isolated = { dependencies: ['node_modules'], from };
  const made = await inItsWorktree({ log }, RUN, { settings: asked, warnings: [], isolated });
  const { isolation } = made.settings;
  if (!isolation) throw new Error('it has no worktree');
  const start = await captureFolder({ directory: made.settings.directory, run: RUN, number: 0, store }, signal());
  const base = start?.hash ?? '';
  const head = (await repo.git('rev-parse', 'HEAD')).trim();
  const settings: RunSettings = {
    ...made.settings,
    checks: [{ level: 'L1', name: 'test', command: check ?? NODE_TESTS, timeoutMs: 60_000 }],
    proof: {
      base,
      at: new Date().toISOString(),
      head,
      protect: [],
      unprotect: [],
      dependencies: ['node_modules'],
      ...(check === undefined ? {} : { walls: 'off' as const }),
    },
  };
  await log.close();
  return { ...repo, settings, isolation, store, base, head };
}

const signal = () => new AbortController().signal;

/** What the log has told before the candidate is integrated. */
export async function factsBefore(
  { settings, isolation, base }: Awaited<ReturnType<typeof night>>,
  tree: string | null,
  more: readonly AnyEvent[] = [],
): Promise<AnyEvent[]> {
  const { proof } = settings;
  if (!proof) throw new Error('it proves nothing');
  const taken = await takenBaseline(await workingSubject(settings, proof, base), {
    run: RUN,
    checks: settings.checks,
    environment: [],
    signal: signal(),
    delta: () => {},
  });
  if (!taken) throw new Error('its checks were stopped');
  const candidate = CANDIDATE.id;
  return [
    { type: 'baseline.taken', payload: taken },
    { type: 'iteration.started', payload: { iteration: 0 } },
    { type: 'filter.completed', payload: { candidates: [CANDIDATE], refused: 0, beyond: 0 } },
    { type: 'experiment.started', payload: { candidate } },
    ...(tree === null ? [] : evaluated(tree, { base, directory: settings.directory, isolation })),
    ...more,
  ];
}

const evaluated = (tree: string, { base, directory, isolation }: object & Record<string, unknown>): AnyEvent[] => {
  const candidate = CANDIDATE.id;
  const changed = [{ path: 'sum.js', added: 1, removed: 1 }];
  return [
    { type: 'experiment.prepared', payload: { candidate, base, directory, isolation } },
    { type: 'candidate.built', payload: { candidate, modification: 'a'.repeat(64), base, tree, changed } },
    {
      type: 'evaluation.completed',
      payload: { candidate, passed: true, tier: null, reason: 'all tiers passed', tree },
    },
  ];
};

/** A tree with other files, as an experiment would leave it. Null: the file is removed. */
export async function treeWith(
  { root }: { readonly root: string },
  base: string,
  files: Readonly<Record<string, string | null>>,
): Promise<string> {
  const folder = await temporaryFolder();
  const env = { ...process.env, GIT_INDEX_FILE: join(folder, 'index') };
  const said = (args: readonly string[], input = '') =>
    execFileSync('git', ['-C', root, ...args], { env, input, encoding: 'utf8' }).trim();
  said(['read-tree', base]);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) said(['update-index', '--force-remove', path]);
    else
      said(['update-index', '--add', '--cacheinfo', `100644,${said(['hash-object', '-w', '--stdin'], text)},${path}`]);
  }
  return said(['write-tree']);
}

export const refsOf = (directory: string) => runRefs(RUN, { directory });
