import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { MARK_VARIABLE, recognisesProcesses } from '../../../src/actors/command-mark.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { tool } from '../../support/stand-ins.ts';

/** A process in a session of its own, as a command of a run leaves one that it cannot be ended with. */
async function leftBy(run: string): Promise<ChildProcess> {
  const env = { PATH: process.env['PATH'], [MARK_VARIABLE]: `0123.1@outer;4567.1@${run};89ab.1@inner;` };
  const left = spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env });
  onTestFinished(() => void left.kill('SIGKILL'));
  await once(left, 'spawn');
  return left;
}

test.skipIf(!recognisesProcesses())('V2 what a run has left running ends before its work is captured', async () => {
  const { root, commit } = await repository({ '.gitignore': '.loopfold\n', 'check.sh': 'exit 0\n' });
  await commit();
  const log = memoryLog();
  const left: ChildProcess[] = [];
  const one = tool('work', async (_input, { effect }) => {
    left.push(await leftBy(effect.split('/')[0] ?? ''), await leftBy('another-run'));
    return { output: '' };
  });
  const answers = [{ calls: [{ tool: 'work', arguments: {} }] }, { text: 'done' }];
  const loops = new Loops({ log, model: scriptedModel({ answers }), tools: [one] });
  const checks = ['L1:sh check.sh'];
  const live = await loops.start({ prompt: 'x', directory: root, tools: ['work'], checks, checkIn: 'workspace' });
  await live.done;
  expect(left.map(({ signalCode }) => signalCode)).toEqual(['SIGTERM', null]);
  const warnings: unknown[] = [];
  for await (const { type, payload } of log.read(live.run)) if (type === 'warning.raised') warnings.push(payload);
  expect(warnings).toMatchObject([{ code: 'processes_ended' }]);
});
