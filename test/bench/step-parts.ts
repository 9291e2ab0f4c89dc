import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { loopsOf, turn } from './turns.ts';

const STEPS = 20;
const WARM_TURNS = 150;
const TURNS = 150;
const SAMPLE_MICROSECONDS = 100;

/** The part of the program that a file belongs to, first match first. What matches none is its caller's. */
const FILES: readonly (readonly [part: string, pattern: RegExp])[] = [
  ['the profiler', /^node:inspector/],
  ['zod', /\/node_modules\/zod\//],
  ['transition', /\/node_modules\/xstate\/|\/(machines|src\/kernel|src\/loops)\//],
  ['append', /\/src\/log\//],
  ['detectors and decisions', /\/src\/(detectors|judging|strategies|budget)\//],
  ['model and tools', /\/src\/actors\//],
  ['runtime and start of a run', /\/src\/(runtime|hosts|projections|config|prompt|evidence)\//],
];

/** Frames that have no file: V8's own, and calls into the binding of SQLite. */
const NATIVE: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(idle)': 'waiting for files and processes',
  ...Object.fromEntries(['run', 'get', 'all', 'exec', 'DatabaseSync'].map((name) => [name, 'SQLite and the disk'])),
};
const REST = 'Node itself';

/** Where the time of a step goes. */
export interface StepPart {
  readonly part: string;
  /** Of the clock, for one step. */
  readonly microseconds: number;
}

/** Samples the stack of warm turns in sequence. The sampling makes all of it a little slower. */
export async function measureParts(folder: string): Promise<readonly StepPart[]> {
  const log = openSqliteLog(join(folder, 'log.db'));
  const loops = loopsOf(log, STEPS);
  const place = join(folder, 'workspace');
  mkdirSync(place);
  const turns = async (count: number) => {
    for (let n = 0; n < count; n += 1) await turn(loops, STEPS, place);
  };
  await turns(WARM_TURNS);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  await turns(TURNS);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  await log.close();
  return partsOf(profile, TURNS * STEPS);
}

/** Adds a profile up by parts, the largest first. A sample belongs to its innermost frame that belongs anywhere. */
export function partsOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, steps: number): StepPart[] {
  const frames = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const partAt = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
      const { functionName = '', url = '' } = frames.get(at) ?? {};
      const part = url === '' ? NATIVE[functionName] : FILES.find(([, pattern]) => pattern.test(url))?.[0];
      if (part !== undefined) return part;
    }
    return REST;
  };
  const spent = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = partAt(id);
    spent.set(part, (spent.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
  spent.delete('the profiler');
  return [...spent]
    .map(([part, microseconds]) => ({ part, microseconds: microseconds / steps }))
    .toSorted((a, b) => b.microseconds - a.microseconds);
}
