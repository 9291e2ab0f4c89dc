import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../repository/tool.ts';
import { testInTurn } from '../support/in-turn.ts';
import { ownLoopFiles } from '../support/own-loop.ts';
import { type Ended, folder, listing, loopfold, MAIN, MODEL, project } from './program.ts';

const wants = { tool: 'request_read_access', arguments: { path: '/etc/hosts', reason: 'the task names it' } };
const shell = (command: string) => ({ tool: 'shell', arguments: { command } });

/** The program under a short name, as a command of a run would find it. */
const PROGRAM = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;

interface Output {
  /** What the inbox has afterwards. */
  readonly asked: string;
  readonly home: string;
  /** Calls the program as the person. */
  readonly person: (...words: string[]) => Promise<Ended>;
  readonly outer: Ended;
  readonly printed: (name: string) => Promise<string>;
}

/** A run that asks for permission to read, and whose commands are called at the same time. */
async function runThatCalls(
  commands: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<Output> {
  const script = { answers: [{ calls: [wants, ...commands.map(shell)] }, { text: 'read' }] };
  const cwd = await project(script, { ...files, lf: PROGRAM });
  await chmod(join(cwd, 'lf'), 0o755);
  const home = await folder();
  const person = (...words: string[]) => loopfold(words, { cwd, env: { HOME: home } });
  const outer = await person('run', 'x', ...MODEL);
  const { stdout } = await person('inbox', '--json');
  return { home, person, outer, asked: stdout, printed: (name) => readFile(join(cwd, name), 'utf8') };
}

const REFUSED =
  /approve records a decision of a person, and is refused inside run [\w-]+ of this log: .* a shell of your own/;

describe('T9 a command of a run cannot answer for a person', () => {
  test('an approval is refused with 2 and the reason, and the question is still open for the person', async () => {
    const { person, outer, asked, printed } = await runThatCalls([
      './lf approve --last > plain 2>&1; echo " status $?" >> plain',
      'env -i ./lf approve --last > cleared 2>&1; echo " status $?" >> cleared',
    ]);
    expect(outer.status).toBe(14);
    expect(await printed('plain')).toMatch(REFUSED);
    expect(await printed('plain')).toContain('this process belongs to a command of run ');
    expect(await printed('plain')).toMatch(/ status 2\n$/);
    expect(asked).toContain('/etc/hosts');
    expect((await person('approve', '--last')).stderr).toContain('has the permission: reading /etc/hosts');
    expect((await person('resume', '--last')).status).toBe(0);
  });

  describe.runIf(process.platform === 'linux')('on Linux, also where its environment is cleared', () => {
    test('below a shell that still has the mark, alone in its session, and as the only process', async () => {
      const wait = 'while ! grep -q status orphan 2>/dev/null; do sleep 0.05; done';
      const { outer, asked, printed } = await runThatCalls([
        'env -i ./lf approve --last > cleared 2>&1; echo " status $?" >> cleared',
        `(env -i PATH="$PATH" sh -c './lf approve --last > orphan 2>&1; echo " status $?" >> orphan' &); ${wait}`,
        "exec env -i sh -c 'exec ./lf approve --last > only 2>&1'",
        `setsid sh -c './lf approve --last > left 2>&1; echo " status $?" >> left'; ${wait}`,
      ]);
      expect(outer.status).toBe(14);
      for (const name of ['cleared', 'orphan', 'only', 'left']) expect(await printed(name)).toMatch(REFUSED);
      expect(await printed('cleared')).toMatch(/: process \d+, above this one, belongs to a command of run /);
      expect(await printed('only')).toMatch(/: it was started by process \d+, which works on run [\w-]+, or below it/);
      expect(asked).toContain('/etc/hosts');
    });

    testInTurn('nor is it asked at a terminal of its own making, by a run that it starts in the same log', async () => {
      const { outer, printed } = await runThatCalls(
        [
          'mkdir own; yes y | head | script -qec ' +
            '"./lf run y -C own -m script:nested.json --log sqlite:.loopfold/log.db" /dev/null > asked 2>&1; true',
        ],
        { 'nested.json': JSON.stringify({ answers: [{ calls: [wants] }, { text: 'read' }] }) },
      );
      expect(outer.status).toBe(14);
      expect(await printed('asked')).toContain('? permission for reading /etc/hosts');
      expect(await printed('asked')).not.toContain('y/N');
      expect(await printed('asked')).toContain('paused: ');
    });

    testInTurn('nor does a terminal of its own making trust a file that decides', async () => {
      const { home, printed } = await runThatCalls([
        "echo 'export default { maxSteps: 4 };' > loopfold.config.mjs; " +
          "yes y | head | script -qec './lf config' /dev/null > trusted 2>&1; true",
      ]);
      expect(await printed('trusted')).toContain('is not trusted: it is code');
      expect(await printed('trusted')).not.toContain('[y/N]');
      expect(await listing(home)).not.toContain('.config/loopfold/trusted.json');
    });
  });
});

testInTurn(
  'T9 a command of a run can read its log, and start a run and answer that one in a log of its own',
  async () => {
    const nested = { answers: [{ calls: [wants] }, { text: 'read' }] };
    const log = '--log sqlite:own/log.db';
    const { outer, printed } = await runThatCalls(
      [
        './lf show --last --json > shown',
        'mkdir -p own/place; ' +
          `./lf run -C own/place y -m script:nested.json ${log} > started 2>&1; ` +
          `./lf approve --last ${log} > answered 2>&1; ./lf resume --last ${log} > resumed 2>&1; true`,
      ],
      { 'nested.json': JSON.stringify(nested) },
    );
    expect(outer.status).toBe(14);
    expect(JSON.parse(await printed('shown'))).toMatchObject({ task: 'x' });
    expect(await printed('started')).toContain('? permission for reading /etc/hosts');
    expect(await printed('started')).not.toContain('LOOPFOLD_COMMAND');
    expect(await printed('answered')).toContain('has the permission: reading /etc/hosts');
    expect(await printed('resumed')).toContain('read');
  },
);

testInTurn('T9 what a command of a run starts is remembered as no use and no trust of the person', async () => {
  const source = await readFile(join(root, 'test/support/approving-loop.ts'), 'utf8');
  const code = source.replace('../../docs/examples/own-loop/', './');
  const start = './lf run y -C other -m script:model.json --log sqlite:own.db --loop ./loops/approving.loop.ts';
  const { home, printed } = await runThatCalls([`git init -q other; ${start} > started 2>&1; true`], {
    ...ownLoopFiles(),
    'loops/approving.loop.ts': code,
  });
  expect(await printed('started')).toMatch(/^run \S+ approving,/m);
  const used = JSON.parse(await readFile(join(home, '.config/loopfold/used.json'), 'utf8'));
  expect(Object.keys(used)).toEqual([expect.not.stringContaining('other')]);
  expect(await listing(home)).not.toContain('.config/loopfold/trusted.json');
});
