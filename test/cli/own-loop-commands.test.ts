import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../repository/tool.ts';
import { MODEL, Program, resultIn, Terminal } from './program.ts';
import { LOOP, reviewedProject, REVIEWS } from './reviewed-project.ts';
import { loopfold } from './warm-process.ts';

const SLOW = JSON.stringify({
  attempts: REVIEWS.attempts.map(({ answers: [one] }) => ({ answers: [{ ...one, delayMs: 3_600_000 }] })),
});

/** A run in the middle of a review, whose module is gone from where it was loaded. */
async function underReview() {
  const made = await reviewedProject({ 'review.json': SLOW });
  const { cwd, env, named } = made;
  const running = new Program([...named, '--max-time', '2h', '--output-format', 'json'], { cwd, env });
  await running.shows('✓ L0');
  await rename(join(cwd, LOOP), join(cwd, 'loops/elsewhere.loop.ts'));
  return { ...made, running, how: { cwd, env } };
}

describe('a run whose module is not at hand here', () => {
  test('receives commands while another process owns it', async () => {
    const { running, how } = await underReview();
    const steered = await loopfold(['steer', '--last', 'Mind the names.'], how);
    expect([steered.status, steered.stderr]).toEqual([0, expect.stringContaining('before the next answer')]);
    const aborted = await loopfold(['abort', '--last'], how);
    expect([aborted.status, aborted.stderr]).toEqual([0, expect.stringContaining('has ended: abort')]);
    expect(resultIn(await running.ended)).toMatchObject({ exit: 13, outcome: { ending: 'abort', cause: 'user' } });
  });

  test('is paused while another process owns it', async () => {
    const { running, how } = await underReview();
    const paused = await loopfold(['pause', '--last'], how);
    expect([paused.status, paused.stderr]).toEqual([0, expect.stringContaining('is paused')]);
    expect(resultIn(await running.ended)).toMatchObject({ exit: 15, state: 'paused' });
  });

  test('is not aborted without its module where no process owns it, and is told what to do', async () => {
    const { cwd, running, how } = await underReview();
    running.signal('SIGKILL');
    await running.ended;
    const { status, stderr } = await loopfold(['abort', '--last'], how);
    expect(stderr).toContain(`its module ${join(cwd, LOOP)} is not there`);
    expect(stderr).toContain(' Put it back, or write a module there that exports reviewed@1 from where it is now.');
    expect(status).toBe(5);
    await rename(join(cwd, 'loops/elsewhere.loop.ts'), join(cwd, LOOP));
    expect((await loopfold(['abort', '--last'], how)).stderr).toContain('has ended: abort');
  });
});

test('a run that has ended refuses every command in the same words', async () => {
  const { cwd, env, named } = await reviewedProject();
  await loopfold([...named, '--max-iterations', '1'], { cwd, env });
  await rename(join(cwd, LOOP), join(cwd, 'loops/elsewhere.loop.ts'));
  for (const words of [
    ['abort', '--last'],
    ['pause', '--last'],
    ['steer', '--last', 'More.'],
  ]) {
    const { status, stderr } = await loopfold(words, { cwd, env });
    expect(stderr).toMatch(/^loopfold: run \S+: the run has ended\nTry: /);
    expect([words, status]).toEqual([words, 2]);
  }
});

/** The loop of the tests that asks a person, as a module of a project. */
async function askingModule(): Promise<string> {
  const source = await readFile(join(root, 'test/support/asking-loop.ts'), 'utf8');
  return source
    .replaceAll('../../docs/examples/own-loop/', './')
    .replace("import * as life from '../../machines/life.ts';", "import { lifeFor } from 'loopfold/machines';")
    .replace("'../../src/loops/define-loop.ts'", "'loopfold'")
    .replace('life.ask(', 'lifeFor().ask(');
}

describe('a loop that asks a person', () => {
  const asking = async () => {
    const made = await reviewedProject({ 'loops/asking.loop.ts': await askingModule() });
    const words = [
      'run',
      'x',
      ...MODEL,
      '--loop',
      './loops/asking.loop.ts',
      '--verify',
      'true',
      '--accept',
      'verified',
    ];
    return { words, how: { cwd: made.cwd, env: made.env } };
  };

  test('waits, and continues with the answer that another process has given', async () => {
    const { words, how } = await asking();
    const waiting = await loopfold([...words, '--output-format', 'json'], how);
    const { run, ...result } = resultIn(waiting);
    expect(result).toMatchObject({ exit: 14, questions: [{ text: 'Is it good?' }] });
    expect((await loopfold(['answer', '--last', 'yes'], how)).status).toBe(0);
    const resumed = await loopfold(['resume', run ?? '', '--output-format', 'json'], how);
    expect(resultIn(resumed)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
  });

  test('receives an answer from another process while its own waits at the terminal', async () => {
    const { words, how } = await asking();
    const terminal = new Terminal(words, how);
    await terminal.shows('Is it good?');
    expect((await loopfold(['answer', '--last', 'yes'], how)).status).toBe(0);
    expect((await terminal.ended).status).toBe(0);
  });
});
