import { tmpdir } from 'node:os';
import type { RunSettings } from '../../machines/settings.ts';
import type { Model } from '../../src/actors/model/model.ts';
import { type AnyScript, scriptedModel } from '../../src/actors/model/scripted-model.ts';
import type { Ceilings } from '../../src/config/defaults.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { localCast } from '../../src/hosts/local/cast.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { localTroupe, type Troupe, type TroupeOptions } from '../../src/hosts/local/troupe.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/memory/log.ts';
import type { Casting } from '../../src/runtime/casting.ts';
import type { LoopDefinition } from '../../src/runtime/loop-definition.ts';
import type { RunEnd } from '../../src/runtime/run.ts';
import { type Change, type Extended, type Live, type Resumed, Supervisor } from '../../src/runtime/supervisor.ts';
import { Audience, type Seen } from './audience.ts';
import { capturing, verdicts } from './stand-ins.ts';

export interface PlayhouseOptions extends Omit<TroupeOptions, 'model'> {
  readonly model: Model | AnyScript;
  readonly log?: Log;
  readonly ceilings?: Partial<Ceilings>;
  /** Beside those that ship. */
  readonly loops?: readonly LoopDefinition[];
  /** Whom to cast instead of the local ones. Captures and checks are stand-ins anyway: nothing touches a disk. */
  readonly instead?: Partial<Troupe>;
  readonly casting?: (inner: Casting) => Casting;
}

/** A run under way, and whoever watches it. */
export interface Playing extends Live {
  readonly audience: Audience;
}

/** The whole runtime in one process, on a log in memory unless another is given. */
export function playhouse(options: PlayhouseOptions) {
  const { log = memoryLog(), ceilings = {}, clock, tools = [], instead = {}, loops: own = [] } = options;
  const loops = [...shippedLoops, ...own];
  const around = options.casting ?? ((inner: Casting) => inner);
  const model = 'answer' in options.model ? options.model : scriptedModel(options.model);
  const troupe = { ...localTroupe({ ...options, model }), capture: capturing(), verify: verdicts(true), ...instead };
  const casting = around((run, settings, loop) => localCast(run, settings, loop, troupe));
  const supervisor = new Supervisor({ log, loops, casting, ...(clock ? { now: clock.now } : {}) });
  const offered = [...tools.map(({ name }) => name), 'finish'];

  const settingsOf = (asked: Partial<RunOptions>): RunSettings => {
    const given = { prompt: 'Do it.', directory: tmpdir(), tools: offered, ...asked };
    const resolved = resolveSettings(given, { ceilings, loops });
    if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
    return resolved.settings;
  };
  const start = async (asked: Partial<RunOptions> = {}): Promise<Playing> => {
    const audience = new Audience();
    return { ...(await supervisor.start(settingsOf(asked), audience.watch)), audience };
  };
  const resume = async (run: string): Promise<Playing> => {
    const audience = new Audience();
    return { ...lived(await supervisor.resume(run, audience.watch)), audience };
  };
  const extend = async (run: string, change: Change = {}): Promise<Playing> => {
    const audience = new Audience();
    return { ...lived(await supervisor.extend(run, change, audience.watch)), audience };
  };
  /** Plays a run to its end. */
  const play = async (asked: Partial<RunOptions> = {}) => {
    const playing = await start(asked);
    return { ...playing, ...(await ended(playing)), facts: await history(log, playing.run) };
  };
  return { log, casting, supervisor, settingsOf, start, resume, extend, play };
}

function lived(result: Resumed | Extended): Live {
  if (result.kind !== 'live') throw new Error(`expected a live run, got ${JSON.stringify(result)}`);
  return result.live;
}

export async function ended({ done }: Pick<Live, 'done'>): Promise<Extract<RunEnd, { kind: 'ended' }>> {
  const end = await done;
  if (end.kind !== 'ended') throw new Error(`expected the run to end, but it is ${JSON.stringify(end)}`);
  return end;
}

/** Everything the log holds of a run, a shared prefix included. */
export async function history(log: Log, run: string): Promise<Seen[]> {
  const facts: Seen[] = [];
  for await (const envelope of log.read(run)) facts.push(envelope as unknown as Seen);
  return facts;
}
