import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { git } from '../git/repository.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const write = (path: string, content: string) => ({ calls: [{ tool: 'write', arguments: { path, content } }] });
const FILES = { 'test/check.sh': 'grep right value\n', value: 'wrong\n', '.gitignore': '.loopfold\nmodel.json\n' };

test('V2 grounds, the next run and show name what a run has left, until a person approves it', async () => {
  const cwd = await project({ answers: [write('test/check.sh', 'exit 0\n'), { text: 'done' }] }, FILES);
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const run = (...flags: readonly string[]) =>
    loopfold(['run', 'x', ...MODEL, '--verify', 'L1:sh test/check.sh', '--output-format', 'json', ...flags], { cwd });
  const first = resultIn(await run('--check-in', 'workspace')).run ?? '';
  const grounds = await loopfold(['grounds'], { cwd });
  expect(grounds.stdout).toContain(`  test/check.sh  loopfold approve ${first} grounds\n`);
  const left = JSON.parse((await loopfold(['grounds', '--json'], { cwd })).stdout).left;
  expect(left).toEqual([{ path: 'test/check.sh', run: first }]);
  const said = `An earlier run ${first} changed test/check.sh. No person has approved that`;
  const second = await run('--max-iterations', '1');
  expect(second.stderr).toContain(`warning: ${said}`);
  expect(second.status).not.toBe(EXIT.success);
  expect((await loopfold(['show', '--last'], { cwd })).stdout.replaceAll(/\s+/g, ' ')).toContain(said);
  const approved = await loopfold(['approve', first, 'grounds'], { cwd });
  expect(approved.stderr).toBe(`run ${first}: test/check.sh count as it left them, from the next run on\n`);
  expect(approved.status).toBe(EXIT.success);
  expect((await loopfold(['grounds'], { cwd })).stdout).not.toContain('approved by no person');
  expect((await run('--max-iterations', '1')).stderr).not.toContain(said);
  const nothing = await loopfold(['approve', '--last', 'grounds'], { cwd });
  expect(nothing.stderr).toContain('there is nothing to approve');
});
