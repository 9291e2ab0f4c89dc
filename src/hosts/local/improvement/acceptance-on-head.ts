import { randomBytes, randomInt } from 'node:crypto';
import { posix, relative, sep } from 'node:path';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { askGit, type GitCall } from '../../../actors/workspace/git.ts';
import { textOf } from '../../../actors/workspace/proof-repository.ts';
import { type TreeEntries, treeEntries } from '../../../actors/workspace/tree-change.ts';
import { checksOfWork } from '../../../config/clean-tree.ts';
import { basedOn } from '../../../evidence/base-tests.ts';
import { mustFail } from '../../../evidence/control/must-fail.ts';
import { isCode } from '../../../loops/improvement/planning/shown-files.ts';
import type { Acceptance } from '../../../loops/improvement/planning/plan-memory.ts';
import { acceptancePath } from '../../../loops/improvement/witness/acceptance-path.ts';
import { judgeAcceptance, whyNotSteady } from '../../../loops/improvement/witness/judge-acceptance.ts';
import { sourceTexts } from '../../../loops/improvement/witness/source-texts.ts';
import { withoutTodo } from '../../../loops/improvement/witness/without-todo.ts';
import type { WrittenTest } from '../../../loops/improvement/witness/written-test.ts';
import { excerptOfLines } from '../../../text/excerpt.ts';
import { plain } from '../../../text/plain.ts';
import type { EffectRequest } from '../effects/local-effect.ts';
import { inProof } from '../proof/prepared-legs.ts';
import { ranTree } from '../proof/ran-tree.ts';
import { workingSubject } from '../proof/working-subject.ts';
import type { Services } from '../services.ts';
import { headTree } from './head-tree.ts';
import { headWithTest, nameOf, treeWith } from './head-with-test.ts';
import { memoryOf } from './improvement-request.ts';

const WORD_BYTES = 6;
const MAX_NUMBER = 100_000;
/** Of the output of a test that does not load: its planner may write it anew. */
const MAX_PRINTED_CHARS = 800;

export const NO_RUNNER = 'no check reports its tests by name, so no test can show it';

/**
 * Runs a test that a planner has written on the head, in a checkout of a proof: alone, and once more with tests that
 * must fail in its file, and without the TODO comment that asks for the work. Null: told to stop. Throws a `GitError`.
 */
export async function acceptanceOnHead(
  discovery: Discovery,
  written: WrittenTest,
  request: EffectRequest,
  { rootOf }: Pick<Services, 'rootOf'>,
  { signal, delta }: EffectCall,
): Promise<Acceptance | null> {
  const { run, settings } = request.context;
  const { baseline } = request.memory;
  const { isolation, proof, environment = [] } = settings;
  const head = headTree(settings, memoryOf(request));
  if (!isolation || !proof || head === null || !baseline?.tests.length) return { refused: NO_RUNNER };
  const git = { directory: isolation.repository, signal };
  const entries = await treeEntries(head, git);
  const folder = relative(isolation.top, settings.directory).split(sep).join('/');
  const placed = await placedTest(written, { folder, entries }, isolation);
  if ('refused' in placed) return placed;
  const { path } = placed;
  const { text } = written;
  const [read] = sourceTexts(path, text, (one) => isCode(one) && entries.has(nameOf(one)));
  if (read !== undefined)
    return {
      refused: `its test ${path} reads the text of ${read}: a test says what the code does, not how it is written`,
    };
  const numbers = [randomInt(MAX_NUMBER), MAX_NUMBER + 1] as const;
  const control = mustFail(path, text, { word: `k${randomBytes(WORD_BYTES).toString('hex')}`, numbers });
  if (control === null)
    return { refused: `its test ${path} is in a language in which no test that must fail is known` };
  const tree = await headWithTest(head, { path, text }, git);
  const controlled = await controlTree(head, { path, text: control.added }, discovery, { folder, entries }, git);
  const subject = await workingSubject(settings, { ...proof, base: head }, tree);
  const how = { run, environment, signal, delta, keptFor: await rootOf(run), runsAll: true };
  const checks = checksWithTests(checksOfWork(settings.checks), baseline.tests);
  const about = { path, text, before: basedOn(baseline.tests) };
  const refused = (why: string): Acceptance => ({ refused: `its test ${path} ${why}` });
  return inProof(subject, how, async (legs) => {
    const first = await ranTree('acceptance', tree, legs, { ...how, checks });
    if (first === null) return null;
    const failed = first.checks.find(({ passed }) => !passed)?.output ?? '';
    const judged = judgeAcceptance(about, first.tests, excerptOfLines(plain(failed), MAX_PRINTED_CHARS));
    if ('refused' in judged) return refused(judged.refused);
    // What fails here is meant to.
    const second = await ranTree('acceptance', controlled, legs, { ...how, checks, delta: () => {} });
    if (second === null) return null;
    const why = whyNotSteady(about, judged.test, { ran: second.tests, labels: control.labels });
    return why === null ? judged : refused(why);
  });
}

interface Head {
  readonly folder: string;
  readonly entries: TreeEntries;
}

async function placedTest({ path: asked }: WrittenTest, { folder, entries }: Head, { top }: { readonly top: string }) {
  // Some file systems find a file by a name in other letters.
  const there = new Set([...entries.keys()].map((name) => name.toLowerCase()));
  const placed = acceptancePath(asked, { folder, isThere: (path) => there.has(nameOf(path).toLowerCase()) });
  if ('refused' in placed) return placed;
  const { exitCode } = await askGit(['check-ignore', '-q', '--no-index', '--', placed.path], { directory: top });
  return exitCode === 0 ? { refused: `its test ${placed.path} is a file that git ignores` } : placed;
}

/** The head with the test and its controls, and without the comment that asks for the work. */
async function controlTree(
  head: string,
  { path, text }: WrittenTest,
  { source, file, fingerprint }: Discovery,
  { folder, entries }: Head,
  git: GitCall,
): Promise<string> {
  const texts = new Map([[nameOf(path), text]]);
  const name = source === 'todos' && file !== undefined ? nameOf(posix.join(folder, file)) : null;
  const entry = name === null ? undefined : entries.get(name);
  const asking = entry?.mode.startsWith('100') ? await textOf(entry.hash, git) : null;
  if (asking !== null && name !== null && file !== undefined) texts.set(name, withoutTodo(file, asking, fingerprint));
  return treeWith(head, texts, entries, git);
}

/** Up to the last level with a check that names its tests: one check may build what another one runs. */
function checksWithTests<Check extends { readonly name: string; readonly level: string }>(
  checks: readonly Check[],
  tests: readonly { readonly check: string }[],
): readonly Check[] {
  const named = new Set(tests.map(({ check }) => check));
  const levels = checks.filter(({ name }) => named.has(name)).map(({ level }) => level);
  return checks.filter(({ level }) => levels.some((last) => level <= last));
}
