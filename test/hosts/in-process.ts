import { onTestFinished } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createActor } from 'xstate';
import { scriptedModel } from '../../src/actors/model/scripted-model.ts';
import type { Script } from '../../src/actors/model/script.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { FleetWorker } from '../../src/hosts/fleet/fleet-workers.ts';
import { Loops } from '../../src/hosts/local/loops.ts';
import { loopLogic } from '../../src/hosts/xstate/index.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import type { HostedOptions, HostUnderTest } from '../../src/hosts/contract/host-under-test.ts';
import { repository } from '../git/repository.ts';

/** The options of a run of the contract, in a folder. */
export const runOptions = ({ tools, checks = [], ...rest }: HostedOptions, directory: string): RunOptions => ({
  ...rest,
  directory,
  tools: [...tools],
  checks: [...checks],
  checkIn: 'workspace',
  sandbox: 'off',
  walls: 'off',
});

async function loopsOver(script: Script) {
  const log = memoryLog();
  const loops = new Loops({ log, model: scriptedModel(script), holds: null, warn: () => {} });
  return { log, loops, directory: (await repository({ 'a.txt': 'a\n' })).root };
}

/** People speak to a run by the log, wherever it works. */
const spokenTo = (loops: Loops): Pick<HostUnderTest, 'answer' | 'steer' | 'abort'> => ({
  answer: (run, text) => loops.answer(run, { text }),
  steer: (run, text) => loops.steer(run, text),
  abort: (run) => loops.abort(run),
});

export async function localUnderTest(script: Script): Promise<HostUnderTest> {
  const { log, loops, directory } = await loopsOver(script);
  return {
    log,
    ...spokenTo(loops),
    start: async (options) => (await loops.start(runOptions(options, directory))).run,
  };
}

export async function xstateUnderTest(script: Script): Promise<HostUnderTest> {
  const { log, loops, directory } = await loopsOver(script);
  const logic = loopLogic(loops);
  return {
    log,
    ...spokenTo(loops),
    start: async (options) => {
      const runId = uuidv7();
      createActor(logic, { input: { ...runOptions(options, directory), runId } }).start();
      return runId;
    },
  };
}

export async function fleetUnderTest(script: Script): Promise<HostUnderTest> {
  const { log, loops, directory } = await loopsOver(script);
  return {
    log,
    ...spokenTo(loops),
    start: async (options) => {
      const { prompt, maxIterations, ...own } = runOptions(options, directory);
      const worker = new FleetWorker(loops, { run: own, leaveAfterMs: 0 });
      const working = worker.work();
      onTestFinished(async () => {
        await worker.drain();
        await working;
      });
      const { run } = await loops.submit({ prompt, ...(maxIterations === undefined ? {} : { maxIterations }) });
      return run;
    },
  };
}
