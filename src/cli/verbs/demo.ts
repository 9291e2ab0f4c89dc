import { shellWords } from '../../text/shell-words.ts';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { UNCONFIGURED } from '../../config/load-config.ts';
import { scratchRepository } from '../../app/start/scratch-repository.ts';
import { CHECKS, PROJECT, TASK } from '../demo/project.ts';
import { cheatScript, demoScript } from '../demo/demo-script.ts';
import { shortId } from '../args/find-run.ts';
import type { Streams } from '../terminal/output.ts';
import { isVerified, type Result } from '../pages/result.ts';
import { thisProgram } from '../args/again.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { Session } from '../session.ts';
import { startRun } from './run.ts';

/** The pause before each answer, for a user who watches. */
const TERMINAL_DELAY_MS = 350;

/**
 * A coding task in a repository of its own, a scripted model: two attempts fail their checks, the third is proven. Then
 * the same task in another one, and a model that skips the test that fails.
 */
export async function demo(streams: Streams): Promise<number> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-demo-')));
  const delayMs = streams.err.isTerminal ? TERMINAL_DELAY_MS : 0;
  findNode();
  const honest = await prepared(streams, join(folder, 'split-bill'), demoScript(delayMs));
  welcome(streams, honest.session.directory);
  let ended: Result | null = null;
  const status = await attempted(honest, 3, (result) => {
    ended = isVerified(result) ? result : null;
    return ended ? saidAndProven(result) : undefined;
  });
  if (!ended) return status;
  const cheat = await prepared(streams, join(folder, 'split-bill-again'), cheatScript(delayMs));
  cheatWelcome(streams);
  const caught = await attempted(cheat, 1, ({ outcome }) => (outcome?.ending === 'cap_hit' ? CAUGHT : undefined));
  if (caught !== EXIT.cap_hit) return caught;
  streams.out.line(tour(honest, ended));
  return status;
}

/** A project that fails its tests, and who works on it. */
interface Prepared {
  readonly session: Session;
  readonly script: string;
}

async function prepared(streams: Streams, directory: string, script: object): Promise<Prepared> {
  const file = `${directory}.json`;
  await mkdir(directory);
  await scratchRepository(directory, PROJECT, 'A bill splitter that loses cents');
  await writeFile(file, `${JSON.stringify(script, null, 2)}\n`);
  return { session: new Session(streams, 'demo', { directory, color: true }, UNCONFIGURED), script: file };
}

function attempted(
  { session, script }: Prepared,
  maxIterations: number,
  product: (result: Result) => string | undefined,
): Promise<number> {
  const { directory } = session;
  const options = { prompt: TASK, directory, model: `script:${script}`, checks: CHECKS, maxIterations };
  return startRun(session, options, { format: 'text', product });
}

/** The checks of the demo call `node`: puts the Node that runs this first on the PATH. */
function findNode(): void {
  process.env['PATH'] = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
}

function welcome({ err }: Streams, directory: string): void {
  const { bold, dim } = err.colours;
  err.line(bold('An agent is asked to fix a failing project. It may say what it likes: only the checks decide.'));
  err.line(dim(`  task    ${TASK}`));
  err.line(dim(`  checks  ${CHECKS.join(', ')}`));
  err.line(dim(`  where   ${directory}`));
  err.line(dim('  model   scripted, so that this needs no key and no network; everything else is real'));
  err.line();
}

function cheatWelcome({ err }: Streams): void {
  err.line();
  err.line(
    err.colours.bold(
      'The same task once more, and an agent that wants to look finished: it skips the test that fails.',
    ),
  );
  err.line();
}

const CAUGHT =
  'In its folder all tests passed. The check ran with the tests of the beginning, so they failed, and the agent was told.\n';

function saidAndProven({ iterations, evidence }: Result): string {
  const said = iterations.filter(({ attempt, passed }) => attempt?.ending === 'success' && passed === false).length;
  return [
    `The agent said "fixed" ${iterations.length} times. ${said} times the checks said no, and it was told what failed.`,
    `The last time they passed. Proof: ${evidence.join(', ')}`,
  ].join('\n');
}

/** Commands to try, which work from the user's folder. */
function tour({ session, script }: Prepared, { run, iterations }: Result): string {
  const { bold } = session.streams.out.colours;
  const id = shortId(run ?? '');
  const decision = iterations.at(-1)?.decision?.version ?? 1;
  const git = (...words: string[]) => shellWords(['git', '-C', session.directory, ...words]);
  const checks = CHECKS.flatMap((check) => ['--verify', check]);
  const again = ['run', '-C', session.directory, '-m', `script:${script}`, ...checks, TASK];
  const rows = [
    ['the run on one page', session.again(['show', id])],
    ['every event of it', session.again(['events', id])],
    ['its state just before the end', session.again(['rebuild', id, '--at', String(decision - 1)])],
    ['what the agent changed', git('diff')],
    ['the same again, broken first', `${git('checkout', 'src')} && ${shellWords([...thisProgram(), ...again])}`],
  ];
  return [
    'Everything that happened is in a log. Try:',
    ...rows.flatMap(([what, command]) => [`  ${bold(what)}`, `    ${command}`]),
  ].join('\n');
}
