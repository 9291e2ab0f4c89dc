import { tmpdir } from 'node:os';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { localHandlers } from '../../src/hosts/local/local-handlers.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { localServices } from '../../src/hosts/local/local-services.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { Supervisor } from '../../src/runtime/supervisor.ts';
import type { Change } from '../../src/runtime/extend-run.ts';
import { type HarnessOptions, unchanged } from './harness-options.ts';
import { type ObservedRun, RunObserver } from './observers.ts';
import { ended, history, lived } from './run-history.ts';
import { capturing, verdicts } from './stand-ins.ts';

/** The whole runtime in one process, on a log in memory unless another is given. */
export function createHarness(options: HarnessOptions) {
  const { log = memoryLog(), ceilings = {}, tools = [], services: replaced = {}, loops: own = [] } = options;
  const loops = [...shippedLoops, ...own];
  const around = options.aroundHandlers ?? unchanged;
  const model = 'answer' in options.model ? options.model : scriptedModel(options.model);
  const services = {
    ...localServices({ ...options, model }),
    capture: capturing(),
    verify: verdicts(true),
    ...replaced,
  };
  const makeHandlers = around((run, settings, loop) => localHandlers(run, settings, loop, services));
  const supervisor = new Supervisor({ log, loops, makeHandlers, clock: services.clock });
  const offered = [...tools.map(({ name }) => name), 'finish'];

  const settingsOf = (asked: Partial<RunOptions>) => {
    const given = { prompt: 'Do it.', directory: tmpdir(), tools: offered, ...asked };
    const resolved = resolveSettings(given, { ceilings, loops });
    if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
    return resolved.settings;
  };
  const start = async (asked: Partial<RunOptions> = {}): Promise<ObservedRun> => {
    const observer = new RunObserver();
    return { ...(await supervisor.start(settingsOf(asked), observer.watch)), observer };
  };
  const resume = async (run: string): Promise<ObservedRun> => {
    const observer = new RunObserver();
    return { ...lived(await supervisor.resume(run, observer.watch)), observer };
  };
  const extend = async (run: string, change: Change = {}): Promise<ObservedRun> => {
    const observer = new RunObserver();
    return { ...lived(await supervisor.extend(run, change, observer.watch)), observer };
  };
  /** Runs to the end. */
  const play = async (asked: Partial<RunOptions> = {}) => {
    const playing = await start(asked);
    return { ...playing, ...(await ended(playing)), facts: await history(log, playing.run) };
  };
  return { log, makeHandlers, supervisor, settingsOf, start, resume, extend, play };
}
