import type { z } from 'zod';
import type { EventOf, LoopEvent, Usage } from '../../../machines/events.ts';
import type { Discovery } from '../../../machines/improvement-facts.ts';
import type { ImprovementOptions } from '../../../machines/improvement-options.ts';
import type { Outcome } from '../../../machines/outcome.ts';
import type { Limits, RunSettings } from '../../../machines/settings.ts';
import { outcomeOf, settingsOf } from '../../support/facts.ts';

/** What happens in a run of the improvement loop, as facts: details that a test is not about are filled in here. */

export interface Night {
  readonly options?: z.input<typeof ImprovementOptions>;
  readonly limits?: Partial<Limits>;
  readonly settings?: Partial<RunSettings>;
}

export function nightStarted({ options = {}, limits = {}, settings = {} }: Night = {}): EventOf<'run.started'> {
  const own = settingsOf('iteration', { limits: { maxIterations: 10, maxTimeMs: null, ...limits } });
  return {
    type: 'run.started',
    payload: {
      machine: 'improvement@1',
      settings: {
        ...own,
        loop: 'improvement',
        prompt: 'Keep the public interface.',
        options: JSON.parse(JSON.stringify(options)),
        ...settings,
      },
    },
  };
}

export const used = (tokens: number, nanoUsd?: number): Usage => ({
  inputTokens: tokens - 1,
  outputTokens: 1,
  ...(nanoUsd === undefined ? {} : { cost: { nanoUsd } }),
});

export const discoveryOf = (id: string, more: Partial<Discovery> = {}): Discovery => ({
  id,
  title: `Mend ${id}`,
  summary: `${id} is broken.`,
  source: 'failing-tests',
  relevanceScore: 1,
  fingerprint: id.padEnd(64, '0'),
  ...more,
});

type Payload<Type extends LoopEvent['type']> = EventOf<Type>['payload'];

export const discovered = (ids: readonly string[], more: Partial<Payload<'discovery.completed'>> = {}): LoopEvent => ({
  type: 'discovery.completed',
  payload: {
    discoveries: ids.map((id) => discoveryOf(id)),
    sources: [{ source: 'failing-tests', found: ids.length }],
    known: 0,
    left: 0,
    canChange: false,
    ...more,
  },
});

export const filtered = (ids: readonly string[], more: Partial<Payload<'filter.completed'>> = {}): LoopEvent => ({
  type: 'filter.completed',
  payload: { candidates: ids.map((id) => discoveryOf(id)), refused: 0, beyond: 0, ...more },
});

export const experimented = (
  candidate: string,
  more: Partial<Payload<'experiment.started'>> = {},
): EventOf<'experiment.started'> => ({ type: 'experiment.started', payload: { candidate, ...more } });

export const planned = (ids: readonly string[], usage?: Usage): LoopEvent => ({
  type: 'plans.written',
  payload: {
    plans: ids.map((candidate) => ({ candidate, text: 'Look first.' })),
    by: 'calls',
    ...(usage ? { usage } : {}),
  },
});

export const preparedFor = (candidate: string, more: Partial<Payload<'experiment.prepared'>> = {}): LoopEvent => ({
  type: 'experiment.prepared',
  payload: {
    candidate,
    base: 'tree-0',
    directory: 'experiment',
    isolation: {
      kind: 'worktree',
      origin: 'workspace',
      top: 'experiment',
      repository: '.git',
      base: 'tree-0',
      dependencies: [],
    },
    ...more,
  },
});

export const settled = (
  tokens: number,
  outcome: Outcome = outcomeOf('success'),
  costNanoUsd?: number,
  lane?: string,
): EventOf<'child.settled'> => ({
  type: 'child.settled',
  payload: {
    // A run ends once, and experiments of made-up nights share a run.
    child: lane === undefined ? `child-in-${outcome.ending}` : `child-of-${lane}`,
    ...(lane === undefined ? {} : { lane }),
    outcome,
    answer: 'done',
    spend: {
      inputTokens: tokens - 1,
      outputTokens: 1,
      toolCalls: 2,
      steps: 3,
      ...(costNanoUsd === undefined ? {} : { costNanoUsd }),
    },
  },
});

export const built = (candidate: string, more: Partial<Payload<'candidate.built'>> = {}): LoopEvent => ({
  type: 'candidate.built',
  payload: {
    candidate,
    modification: `change-${candidate}`,
    base: 'tree-0',
    tree: `tree-${candidate}`,
    changed: [{ path: 'src/clock.ts', added: 3, removed: 1 }],
    ...more,
  },
});

export const tier = (
  candidate: string,
  name: string,
  passed = true,
  more: Partial<Payload<'tier.completed'>> = {},
): LoopEvent => ({
  type: 'tier.completed',
  payload: { candidate, tier: name, kind: 'check', passed, detail: passed ? '' : 'it fails', durationMs: 400, ...more },
});

export const evaluated = (
  candidate: string,
  refusedBy: string | null = null,
  more: Partial<Payload<'evaluation.completed'>> = {},
): LoopEvent => ({
  type: 'evaluation.completed',
  payload: {
    candidate,
    passed: refusedBy === null,
    tier: refusedBy,
    reason: refusedBy === null ? 'every tier passed' : `${refusedBy}: it fails`,
    tree: `tree-${candidate}`,
    ...more,
  },
});

export const integrated = (candidate: string, more: Partial<Payload<'integration.completed'>> = {}): LoopEvent => ({
  type: 'integration.completed',
  payload: {
    candidate,
    branch: 'loopfold/night',
    commit: `c0ffee${candidate}`.padEnd(40, '0'),
    tree: `tree-${candidate}`,
    to: 'head',
    ...more,
  },
});

export const notIntegrated = (candidate: string, usage?: Usage): LoopEvent => ({
  type: 'integration.failed',
  payload: { candidate, reason: 'the suite fails on the whole', reverted: true, ...(usage ? { usage } : {}) },
});
