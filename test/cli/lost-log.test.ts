import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { project } from './program.ts';
import { loopfold } from './warm-process.ts';

/** Counts its calls in a file, and has the log removed by the first. */
const MODEL = `import { appendFileSync, existsSync } from 'node:fs';
export default () => {
  const isFirst = !existsSync('calls.txt');
  appendFileSync('calls.txt', 'x');
  return isFirst ? { calls: [{ tool: 'shell', arguments: { command: process.env.REMOVAL } }] } : { text: 'not done' };
};
`;

testInTurn.each([
  ['removes the folder of the log', 'rm -rf .loopfold', 'removed'],
  ['replaces the log', 'cp .loopfold/log.db copy && mv copy .loopfold/log.db', 'replaced by another'],
])(
  'an agent that %s ends the run at once, with what to do, and no other model call is paid',
  async (_, REMOVAL, how) => {
    const cwd = await project({ answers: [] }, { 'model.mjs': MODEL });
    const words = ['run', 'Tidy up.', '--model', 'script:model.mjs', '--label', 'ralph-wiggum-5'];
    const { status, stderr } = await loopfold(words, { cwd, env: { REMOVAL } });
    expect(stderr).toMatch(new RegExp(`log.db: the file was ${how}.*start the run again`));
    expect(stderr).not.toContain('resume');
    expect(status).toBe(5);
    expect(await readFile(join(cwd, 'calls.txt'), 'utf8')).toBe('x');
  },
);

testInTurn.each([
  ['cuts the log to nothing', ': > .loopfold/log.db', 'cut to 0 bytes'],
  ['cuts the end of the log', 'truncate -s 4096 .loopfold/log.db', 'cut to 4096 bytes'],
])('an agent that %s gets no success, and exit status 7', async (_, REMOVAL, how) => {
  const cwd = await project({ answers: [] }, { 'model.mjs': MODEL });
  const { status, stderr, stdout } = await loopfold(['run', 'Tidy up.', '--model', 'script:model.mjs'], {
    cwd,
    env: { REMOVAL },
  });
  expect(stderr).toContain(how);
  expect(stderr).not.toContain('this is a bug');
  expect(stdout).toBe('');
  expect(status).toBe(7);
  for (const verb of [['runs'], ['show', '--last'], ['check'], ['resume', '--last']]) {
    const later = await loopfold(verb, { cwd });
    // What `check` finds in a log that opens is its result, and stands in its output.
    expect(later.stdout + later.stderr).toMatch(
      /log.db: (?:run .* is not in the log any more|nothing could be read)|damaged/,
    );
    expect(later.status).toBe(7);
  }
});
