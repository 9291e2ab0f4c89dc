import { tmpdir } from 'node:os';
import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { resolveSettings } from '../../../src/config/resolve.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import type { Chance } from './chance.ts';

/** How one life of a run goes, as far as it is decided before: the run itself, and what disturbs it. */
export interface Plan {
  readonly options: Omit<RunOptions, 'directory'>;
  /** How many crashes it survives at most, and after how many steps of a process each comes. */
  readonly crashes: readonly { readonly afterSteps: number; readonly cutsPower: boolean }[];
  /** How likely each transaction meets a fault of the disk. */
  readonly faultChance: number;
  readonly jumpsClock: boolean;
  /** Processes are stopped for longer than their lease, and woken later. */
  readonly stopsProcesses: boolean;
  /** People send commands: texts, pauses, and now and then an abort. */
  readonly hasPeople: boolean;
  /** Results come late, twice, or in another order. */
  readonly mixesResults: boolean;
  readonly liesAboutUsage: boolean;
  /** The model hands work over to runs of its own, several at once. */
  readonly delegates: boolean;
  /** Tools that hear no signal, which only a deadline or an abort gets rid of. */
  readonly hasDeafTools: boolean;
  /** What an improvement loop finds, and what becomes of it. */
  readonly nightSeed: number;
}

const TOOLS = ['look', 'put', 'send', 'nap', 'deaf', 'delegate', 'finish'];

/** An experiment, its plan, and what is left of a small budget for others. */
const ESTIMATE_TOKENS = 6_000;

export const nightOptions = (maxParallel: number): RunOptions['options'] => ({
  terminationRules: [],
  phases: {
    discovery: { estimateTokens: 500 },
    filter: { estimateTokens: 100 },
    experiment: { estimateTokens: ESTIMATE_TOKENS, maxParallel },
    integrate: { estimateTokens: 0 },
  },
});

/** Draws the plan of a seed. */
export function planOf(chance: Chance): Plan {
  const hasDeadline = chance.happens(0.4);
  const disturbance = chance.pick(['none', 'none', 'none', 'disk', 'clock', 'stops']);
  const loop = chance.pick(['turn', 'iteration', 'iteration', 'ralph', 'improvement']);
  return {
    options: {
      prompt: 'Do it.',
      loop,
      ...(loop === 'improvement' ? { options: nightOptions(chance.between(1, 2)) } : {}),
      tools: TOOLS,
      detectors: ['off'],
      graceMs: chance.pick([0, 500, 3_000]),
      maxSteps: chance.between(3, 8),
      maxIterations: chance.between(1, 4),
      ...(chance.happens(0.7) ? { checks: ['L1:true'] } : {}),
      ...(chance.happens(0.4) ? { maxTokens: chance.pick([4_000, 20_000, 100_000]) } : {}),
      ...(hasDeadline ? { maxTime: `${chance.between(2_000, 12_000)}ms` } : {}),
    },
    crashes: Array.from({ length: chance.pick([2, 6, 12, 24]) }, () => ({
      afterSteps: 1 + chance.below(chance.pick([10, 60, 250])),
      cutsPower: chance.happens(0.4),
    })),
    faultChance: disturbance === 'disk' ? 0.03 : 0,
    jumpsClock: disturbance === 'clock',
    stopsProcesses: disturbance === 'stops',
    hasPeople: chance.happens(0.4),
    mixesResults: chance.happens(0.5),
    liesAboutUsage: chance.happens(0.3),
    delegates: chance.happens(0.3),
    hasDeafTools: hasDeadline,
    nightSeed: chance.below(2 ** 31),
  };
}

export function settingsOf({ options }: Plan): RunSettings {
  const resolved = resolveSettings({ ...options, directory: tmpdir() }, { loops: shippedLoops });
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  return resolved.settings;
}
