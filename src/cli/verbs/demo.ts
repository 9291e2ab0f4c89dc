import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { UNCONFIGURED } from '../../config/load-config.ts';
import { scratchRepository } from '../../hosts/local/scratch-repository.ts';
import { CHECKS, PROJECT, TASK } from '../demo/project.ts';
import { demoScript } from '../demo/demo-script.ts';
import { shortId } from '../args/find-run.ts';
import { shellWords } from '../args/invocation.ts';
import type { Streams } from '../terminal/output.ts';
import { isVerified, type Result } from '../pages/result.ts';
import { thisProgram } from '../args/again.ts';
import { Session } from '../session.ts';
import { startRun } from './run.ts';

/** The pause before each answer, for a user who watches. */
const TERMINAL_DELAY_MS = 350;

/** A coding task in a repository of its own, a scripted model: two attempts fail their checks, the third is proven. */
export async function demo(streams: Streams): Promise<number> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-demo-')));
  const directory = join(folder, 'split-bill');
  const script = join(folder, 'model.json');
  await mkdir(directory);
  await scratchRepository(directory, PROJECT, 'A bill splitter that loses cents');
  await writeFile(script, `${JSON.stringify(demoScript(streams.err.isTerminal ? TERMINAL_DELAY_MS : 0), null, 2)}\n`);
  findNode();
  const session = new Session(streams, 'demo', { directory, color: true }, UNCONFIGURED);
  welcome(streams, directory);
  return startRun(
    session,
    { prompt: TASK, directory, model: `script:${script}`, checks: CHECKS, maxIterations: 3 },
    { format: 'text', product: (result) => (isVerified(result) ? tour(session, result, script) : undefined) },
  );
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

/** What happened, and commands to try, which work from the user's folder. */
function tour(session: Session, { run, iterations, evidence }: Result, script: string): string {
  const { bold } = session.streams.out.colours;
  const id = shortId(run ?? '');
  const said = iterations.filter(({ attempt, passed }) => attempt?.ending === 'success' && passed === false).length;
  const decision = iterations.at(-1)?.decision?.version ?? 1;
  const git = (...words: string[]) => shellWords(['git', '-C', session.directory, ...words]);
  const checks = CHECKS.flatMap((check) => ['--verify', check]);
  const again = ['run', '-C', session.directory, '-m', `script:${script}`, ...checks, TASK];
  return [
    `The agent said "fixed" ${iterations.length} times. ${said} times the checks said no, and it was told what failed.`,
    `The last time they passed. Proof: ${evidence.join(', ')}`,
    '',
    'Everything that happened is in a log. Try:',
    ...entries([
      ['the run on one page', session.again(['show', id])],
      ['every event of it', session.again(['events', id])],
      ['its state just before the end', session.again(['rebuild', id, '--at', String(decision - 1)])],
      ['what the agent changed', git('diff')],
      ['the same again, broken first', `${git('checkout', 'src')} && ${shellWords([...thisProgram(), ...again])}`],
    ]),
  ].join('\n');

  function entries(rows: readonly (readonly [string, string])[]): string[] {
    return rows.flatMap(([what, command]) => [`  ${bold(what)}`, `    ${command}`]);
  }
}
