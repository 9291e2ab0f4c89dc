import { onTestFinished } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type AnyActor, createActor } from 'xstate';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import type { Script } from '../../src/actors/model/script.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { FleetWorker } from '../../src/hosts/fleet/fleet-workers.ts';
import type { LiveRun } from '../../src/app/running/live-runs.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
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
const spokenTo = (loops: Loops): Pick<HostUnderTest, 'answer' | 'grant' | 'steer' | 'abort'> => ({
  answer: (run, text) => loops.answer(run, { text }),
  grant: (run) => loops.grant(run, { granted: true }),
  steer: (run, text) => loops.steer(run, text),
  abort: (run) => loops.abort(run),
});

export async function localUnderTest(script: Script): Promise<HostUnderTest> {
  const { log, loops, directory } = await loopsOver(script);
  const live: LiveRun[] = [];
  return {
    log,
    ...spokenTo(loops),
    start: async (options) => {
      const run = await loops.start(runOptions(options, directory));
      live.push(run);
      return run.run;
    },
    restart: async () => {
      for (const one of live.splice(0)) {
        await one.pause('signal');
        await one.done;
        const resumed = await loops.resume(one.run);
        if (resumed.kind !== 'live') throw new TypeError(resumed.kind);
        live.push(resumed.live);
      }
    },
  };
}

export async function xstateUnderTest(script: Script): Promise<HostUnderTest> {
  const { log, loops, directory } = await loopsOver(script);
  let logic = loopLogic(loops);
  let actors: AnyActor[] = [];
  return {
    log,
    ...spokenTo(loops),
    start: async (options) => {
      const runId = uuidv7();
      const actor = createActor(logic, { input: { ...runOptions(options, directory), runId } });
      actors.push(actor.start());
      return runId;
    },
    restart: async () => {
      const kept = actors.map((actor) => actor.getPersistedSnapshot());
      await logic.shutDown();
      logic = loopLogic(loops);
      actors = kept.map((snapshot) => createActor(logic, { snapshot: snapshot as never, input: {} as never }).start());
    },
  };
}

export async function fleetUnderTest(script: Script): Promise<HostUnderTest> {
  const { log, loops, directory } = await loopsOver(script);
  let drain = async () => {};
  let begin = () => {};
  onTestFinished(() => drain());
  return {
    log,
    ...spokenTo(loops),
    restart: async () => {
      await drain();
      begin();
    },
    start: async (options) => {
      const { prompt, maxIterations, ...own } = runOptions(options, directory);
      begin = () => {
        const worker = new FleetWorker(loops, { run: own, leaveAfterMs: 0 });
        const working = worker.work();
        drain = async () => {
          await worker.drain();
          await working;
        };
      };
      begin();
      const { run } = await loops.submit({ prompt, ...(maxIterations === undefined ? {} : { maxIterations }) });
      return run;
    },
  };
}
