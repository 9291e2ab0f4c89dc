import { modelOfAgent } from '../../machines/agent-model.ts';
import { ContestOptions } from '../../machines/contest-facts.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import { readAgentName } from '../agents/agent-name.ts';
import { type ConfigFault, faultAt } from '../options/config-fault.ts';
import { CHILD_GRACE_HEAD_START_MS } from '../options/defaults.ts';
import type { ParsedOptions } from './options.ts';

/** The settings of a run that options lead to, or every fault of these. */
export type Resolution =
  | { readonly kind: 'settings'; readonly settings: RunSettings; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

type Asked = Pick<ParsedOptions, 'attempts' | 'parallel' | 'agents' | 'agent' | 'loop'>;

/** Tells whether several attempts are to compete. */
export const isContest = ({ attempts, parallel, agents }: Asked): boolean =>
  attempts !== undefined || parallel !== undefined || agents !== undefined;

/** Loops that try several things by themselves. */
const LOOPS_OF_SEVERAL = new Set(['contest', 'improvement']);
const NO_LIMITS = { maxTokens: null, maxTimeMs: null, maxCostNanoUsd: null, maxIterations: null };

/**
 * The settings of a contest: each attempt is the run that the options ask for without it, and all have its budget
 * together. `resolve`: how that run is resolved.
 */
export function resolveContest(options: unknown, asked: Asked, resolve: (alone: object) => Resolution): Resolution {
  const faults = contestFaults(asked);
  if (faults.length > 0) return { kind: 'refused', faults };
  const { agents = [], parallel } = asked;
  const { attempts: _attempts, parallel: _parallel, agents: _agents, ...rest } = options as Record<string, unknown>;
  const models = agents.map(modelNamed);
  const [first] = models;
  const alone = resolve(first === undefined ? rest : { ...rest, agent: undefined, model: first });
  if (alone.kind === 'refused') return alone;
  const { settings, warnings } = alone;
  if (LOOPS_OF_SEVERAL.has(settings.loop))
    return { kind: 'refused', faults: [faultAt('attempts', asked.attempts, `no loop ${settings.loop}: ${SEVERAL}`)] };
  const attempts = asked.attempts ?? agents.length;
  const { loop, limits, attemptLimits, strategy } = settings;
  const own = {
    parallel: Math.min(parallel ?? ContestOptions.parse({}).parallel, attempts),
    models,
    attempt: { loop, maxIterations: limits.maxIterations, strategy, ...optionsOf(settings) },
  };
  return {
    kind: 'settings',
    settings: {
      ...settings,
      loop: 'contest',
      limits: { ...limits, maxSteps: null, maxToolCalls: null, maxIterations: attempts },
      attemptLimits: attemptLimits ?? stepsOf(limits),
      strategy: null,
      options: ContestOptions.parse(own) as RunSettings['options'],
      graceMs: settings.graceMs + CHILD_GRACE_HEAD_START_MS,
    },
    warnings: [...warnings, ...unproven(settings)],
  };
}

const SEVERAL = 'it tries several things by itself';

const stepsOf = ({ maxSteps, maxToolCalls }: Limits): Limits => ({ ...NO_LIMITS, maxSteps, maxToolCalls });

const optionsOf = ({ options }: RunSettings): Pick<RunSettings, 'options'> =>
  options === undefined ? {} : { options };

/** An agent of others, or else the name of a model. */
const modelNamed = (name: string): string => (readAgentName(name) ? modelOfAgent(name) : name);

function contestFaults({ attempts, parallel, agents = [], agent }: Asked): readonly ConfigFault[] {
  const foreign = agents.filter((name) => readAgentName(name)).length;
  return [
    ...(attempts === undefined && agents.length === 0
      ? [faultAt('parallel', parallel, 'attempts beside it (--attempts 3)')]
      : []),
    ...(foreign > 0 && foreign < agents.length
      ? [faultAt('agents', agents.join(', '), 'agents of others, or models: a list has one kind')]
      : []),
    ...(agents.length > 0 && agent !== undefined && readAgentName(agent)
      ? [faultAt('agent', agent, 'one list: name it among the agents')]
      : []),
    ...(attempts !== undefined && attempts < agents.length
      ? [faultAt('attempts', attempts, `at least ${agents.length}, one for each of the agents`)]
      : []),
  ];
}

/** Without a check an agent's own words decide who takes part. */
const unproven = ({ checks }: RunSettings): readonly string[] =>
  checks.length > 0
    ? []
    : [
        'No check is configured, so nothing proves the winner: of the attempts that say that they are done the one with ' +
          'the smallest change wins. Add a check (--verify).',
      ];
