import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { filter, firstValueFrom, lastValueFrom, map, toArray } from 'rxjs';
import type { EventOf } from '../../machines/events.ts';
import type { RecordedProof } from '../../machines/recorded-proof.ts';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { isEnough } from '../../src/evidence/enough.ts';
import { gradeOf } from '../../src/evidence/grade.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../git/repository.ts';
import { copyPackages } from '../support/copied-packages.ts';
import { tool } from '../support/stand-ins.ts';
import type { Files, Project, Work } from './story.ts';

type Verification = EventOf<'verification.completed'>['payload'];

/** What a verification finds of work that it does not let pass. */
export type Doubt =
  | 'base-leg'
  | 'work-leg'
  | 'lost-tests'
  | 'no-report'
  | 'control'
  | 'unsteady'
  | 'touched'
  | 'moved'
  | 'unchanged'
  | 'fault';

/** Whether this machine can do it. */
export const can = (command: string | undefined): boolean =>
  command === undefined || spawnSync('/bin/sh', ['-c', command], { stdio: 'ignore' }).status === 0;

/** The stories whose name or kind has the text of the variable `STORY`. Null: there is no such variable. */
export function chosen<Story extends { readonly name: string; readonly kind?: string }>(
  all: readonly Story[],
): readonly Story[] | null {
  const { STORY } = process.env;
  return STORY ? all.filter(({ name, kind = '' }) => `${kind}: ${name}`.includes(STORY)) : null;
}

const { PATH = '' } = process.env;
/** Of those that start late, and of those that a machine with little to do takes long for. */
const CHECK_TIMEOUT_MS = 60_000;

/** A run in which an agent does this work, and says so often that it is done. */
export async function toldRun(project: Project, work: Work, finishes = 1) {
  const home = await temporaryFolder();
  const root = await madeProject(project, home);
  const steps = [
    { calls: [{ tool: 'work', arguments: {} }] },
    ...(work.shell === undefined ? [] : [{ calls: [{ tool: 'shell', arguments: { command: work.shell } }] }]),
    ...Array.from({ length: finishes }, () => ({ text: 'It is done.' })),
  ];
  const files = tool('work', async (_input, { directory }) => {
    await changed(directory, work);
    return { output: 'written' };
  });
  const model = scriptedModel({ answers: [...steps, { text: 'Nothing is left.' }] });
  const loops = new Loops({ log: memoryLog(), model, tools: [files] });
  return atHome(home, async () => {
    const live = await loops.start({
      prompt: 'Make the checks pass.',
      loop: 'turn',
      directory: root,
      checks: [...project.checks],
      maxSteps: steps.length,
      detectors: [],
      ...project.options,
      tools: ['work', 'shell'],
    });
    const asked = loops.events(live.run).pipe(filter((event) => verificationIn(event)?.proof?.dispute?.is === 'asked'));
    const isAsked = await firstValueFrom(asked.pipe(map(() => true)), { defaultValue: false });
    if (isAsked) await loops.abort(live.run);
    const done = await live.done;
    if (done.kind !== 'ended') throw new Error(JSON.stringify(done));
    const events = await lastValueFrom(loops.events(live.run).pipe(toArray()));
    const verified = events.flatMap((event) => verificationIn(event) ?? []);
    const last = verified.at(-1);
    const passesInFolder = () => project.checks.every((check) => passes(commandOf(check), root, home));
    return { root, ending: done.outcome.ending, isAsked, ...toldOf(last), said: saidOf(last), events, passesInFolder };
  });
}

const commandOf = (check: Project['checks'][number]): string =>
  typeof check === 'string' ? check.replace(/^L\d:/, '') : check.command;

/** What became of the control of each check. */
export const controlsOf = (proof: Pick<RecordedProof, 'controls'> | undefined): readonly string[] =>
  (proof?.controls ?? []).map(({ check, by, is }) => `${check}: ${by} ${is}`);

/** What a verification has recorded. Null: the event is another one. */
const verificationIn = ({ type, payload }: { readonly type: string; readonly payload: unknown }) =>
  type === 'verification.completed' ? (payload as Verification) : null;

/** What a verification says of the work. */
function toldOf(verification: Verification | undefined) {
  const proof = verification?.proof;
  const none = { grade: null, because: [], isEnough: false };
  if (!verification || !proof) return { ...none, doubts: ['fault'] as const, grounds: [], proof };
  const [base, own] = proof.legs;
  const graded = verification.passed ? gradedWork(proof) : none;
  const doubts: Doubt[] = [
    ...(base?.passed ? [] : (['base-leg'] as const)),
    ...(own?.passed === false ? (['work-leg'] as const) : []),
    ...(proof.tests.some(({ lostCount }) => lostCount > 0) ? (['lost-tests'] as const) : []),
    ...(proof.tests.some(({ reportMissing }) => reportMissing) ? (['no-report'] as const) : []),
    ...(proof.controls?.some(({ is }) => is === 'broken') ? (['control'] as const) : []),
    ...(proof.unsteady?.length ? (['unsteady'] as const) : []),
    ...(proof.touched?.length ? (['touched'] as const) : []),
    ...(saidOf(verification).includes('The files have changed while') ? (['moved'] as const) : []),
    ...(proof.unchanged ? (['unchanged'] as const) : []),
  ];
  const grounds = proof.grounds.map(({ path, how, keys = [] }) => [path, how, ...keys].join(' '));
  return { ...graded, doubts, grounds, proof };
}

/** The grade of work, and whether it is enough where a run was not started to take less. */
function gradedWork(proof: RecordedProof) {
  const graded = gradeOf(proof);
  return { ...graded, isEnough: isEnough(graded, proof) };
}

const saidOf = (verification: Verification | undefined): string =>
  (verification?.levels ?? [])
    .flatMap(({ checks }) => checks.map(({ name, output }) => `${name}: ${output}`))
    .join('\n');

async function madeProject(project: Project, home: string) {
  const { files, installed = {}, packages = [], prepared, worktree } = project;
  const made = await repository({ '.gitignore': 'node_modules\n.venv\n', ...files });
  if (prepared !== undefined) shell(prepared, made.root, home);
  if (!project.uncommitted) await made.commit();
  const root = worktree ? join(await temporaryFolder(), 'worktree') : made.root;
  if (worktree) await made.git('worktree', 'add', '--quiet', '-b', 'other', root);
  await written(root, installed);
  await copyPackages(packages, root);
  return root;
}

async function changed(root: string, { write = {}, remove = [] }: Work): Promise<void> {
  for (const path of remove) await rm(join(root, path), { recursive: true });
  await written(root, write);
}

async function written(root: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** The run, and what its agent starts, have this home. */
async function atHome<Value>(home: string, work: () => Promise<Value>): Promise<Value> {
  const before = process.env['HOME'];
  process.env['HOME'] = home;
  try {
    return await work();
  } finally {
    process.env['HOME'] = before;
  }
}

const inPlace = (root: string, home: string) =>
  ({ cwd: root, env: { PATH, HOME: home }, timeout: CHECK_TIMEOUT_MS, encoding: 'utf8' }) as const;

const passes = (command: string, root: string, home: string): boolean =>
  spawnSync('/bin/sh', ['-c', command], { ...inPlace(root, home), stdio: 'ignore' }).status === 0;

function shell(command: string, root: string, home: string): void {
  const { status, stderr } = spawnSync('/bin/sh', ['-ec', command], inPlace(root, home));
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}
