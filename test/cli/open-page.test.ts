import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { notePage, pageOfRun } from '../../src/cli/live/open-page.ts';
import { environment, MAIN, MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

test('W6 a run says where it is shown while a page is open on its log, and not after that', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] });
  await loopfold(['run', 'x', ...MODEL], { cwd });
  const page = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--read-only'], { cwd, env: environment() });
  await once(page.stdout, 'data');
  // Without the page there is nothing to show.
  expect((await loopfold(['run', 'y', ...MODEL], { cwd })).stderr).not.toContain('page http');
  page.kill('SIGINT');
  expect((await once(page, 'exit'))[0]).toBe(130);
});

test('W6 the address of a page is known by its log, as long as its process lives', async () => {
  await notePage('a log', 4_610);
  await notePage('another log', 4_611);
  expect(await pageOfRun('a log', 'r')).toBe('http://127.0.0.1:4610/#/run/r/chart');
  expect(await pageOfRun('no log', 'r')).toBeNull();
  const gone = spawn(process.execPath, ['--version']);
  await once(gone, 'exit');
  await notePage('a log', 4_612, gone.pid);
  expect(await pageOfRun('a log', 'r')).toBeNull();
});
