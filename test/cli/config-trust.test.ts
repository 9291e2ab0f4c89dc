import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { folder, listing, loopfold, MAIN } from './program.ts';

const CODE = "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nexport default { maxSteps: 4 };\n";

/** Calls `config` on a real terminal, and types a line when it is asked; another as soon as it is called. */
async function onTerminal(cwd: string, typed: string, typedAhead = '') {
  const words = `'${process.execPath}' '${MAIN}' config`;
  const child = spawn('script', ['-qec', words, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, TERM: 'dumb', SHELL: '/bin/sh' },
  });
  child.stdin.write(typedAhead);
  let shown = '';
  let asked = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (asked === 0 && shown.includes('[y/N]')) {
      asked += 1;
      child.stdin.write(typed);
    }
  });
  const [status] = await once(child, 'close');
  return { status, shown, asked };
}

describe('a file that is code is trusted first', () => {
  testInTurn('without a terminal it is refused with what to try, and not run', async () => {
    const cwd = await folder({ 'loopfold.config.mjs': CODE });
    const { status, stderr, stdout } = await loopfold(['config'], { cwd, env: { HOME: cwd }, input: 'y\n' });
    expect(status).toBe(2);
    expect(stdout).toContain('not in force, since ');
    expect(stdout).not.toMatch(/^maxSteps +4$/m);
    expect(stderr).toContain('is not trusted: it is code');
    expect(stderr).toMatch(/^Try: .* config --trust/m);
    expect(await listing(cwd)).toEqual(['loopfold.config.mjs']);
  });

  testInTurn('--trust is for that call alone', async () => {
    const cwd = await folder({ 'loopfold.config.mjs': CODE });
    const { status, stdout } = await loopfold(['config', '--trust'], { cwd, env: { HOME: cwd } });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^maxSteps +4$/m);
    expect(await listing(cwd)).toEqual(['loopfold.config.mjs', 'ran']);
    expect((await loopfold(['config'], { cwd, env: { HOME: cwd } })).status).toBe(2);
  });

  testInTurn('on a terminal it is asked once, and again when the file has changed', async () => {
    const cwd = await folder({ 'loopfold.config.mjs': CODE });
    const first = await onTerminal(cwd, 'y\n');
    expect(first).toMatchObject({ status: 0, asked: 1, shown: expect.stringMatching(/maxSteps +4/) });
    expect(JSON.parse(await readFile(join(cwd, '.config/loopfold/trusted.json'), 'utf8'))).toHaveProperty([
      join(cwd, 'loopfold.config.mjs'),
    ]);
    expect(await onTerminal(cwd, 'y\n')).toMatchObject({ status: 0, asked: 0 });
    expect((await loopfold(['config'], { cwd, env: { HOME: cwd } })).status).toBe(0);

    await writeFile(join(cwd, 'loopfold.config.mjs'), CODE.replace('4', '5'));
    expect((await loopfold(['config'], { cwd, env: { HOME: cwd } })).status).toBe(2);
    expect(await onTerminal(cwd, 'n\n')).toMatchObject({ status: 2, asked: 1 });
    expect(await onTerminal(cwd, 'y\n')).toMatchObject({
      status: 0,
      asked: 1,
      shown: expect.stringMatching(/maxSteps +5/),
    });
  });

  testInTurn.each(['\n', 'yess\n', '\u0004'])('%j is no yes', async (typed) => {
    const cwd = await folder({ 'loopfold.config.mjs': CODE });
    expect(await onTerminal(cwd, typed)).toMatchObject({ status: 2, asked: 1 });
    expect(await listing(cwd)).toEqual(['loopfold.config.mjs']);
  });

  testInTurn('a yes typed before the question does not count', async () => {
    const cwd = await folder({ 'loopfold.config.mjs': CODE });
    expect(await onTerminal(cwd, '\u0004', 'y\n')).toMatchObject({ status: 2, asked: 1 });
    expect(await listing(cwd)).toEqual(['loopfold.config.mjs']);
  });

  testInTurn('Ctrl-C at the question is Ctrl-C', async () => {
    const cwd = await folder({ 'loopfold.config.mjs': CODE });
    expect(await onTerminal(cwd, '\u0003')).toMatchObject({ status: 130, asked: 1 });
    expect(await listing(cwd)).toEqual(['loopfold.config.mjs']);
  });
});
