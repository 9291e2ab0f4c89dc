import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { isLimited, leftFor, reservationFor } from '../../src/budget/allowance.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { lifeOf, type RunState } from '../../src/kernel/fold.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { loopNamed } from '../../src/kernel/loop-named.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';
import type { Loop } from './facts.ts';
import * as has from './facts.ts';
import { answersOf, unexpectedAnswers } from './environment-answers.ts';
import { contestNoise } from './contest-answers.ts';
import { experimentStarted, improvementNoise } from './improvement-answers.ts';
import { fileNoticed, ralphNoise } from './ralph-answers.ts';

function environmentOf(loop: Loop): ProofEnvironment {
  return {
    openings: openingsOf(loop),
    answers: answersOf,
    follows: begins,
    remarks: () => (loop === 'ralph' ? [...remarks, fileNoticed] : remarks),
    noise: noiseOf[loop],
    ...(loop === 'ralph' ? { unread: RALPH_TIMES } : {}),
  };
}

/** Only effects read these. A search that told states apart by them would take nine times as long. */
const RALPH_TIMES = ['pausedAt', 'idle', 'leftAtWork'];

const PRICE = { inputPerMillion: 3, outputPerMillion: 15, source: 'settings' };
const UNLIMITED = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: null, maxTimeMs: null };

function openingsOf(loop: Loop): ProofEnvironment['openings'] {
  const open = (beginning: has.Beginning, more: Partial<RunSettings> = {}): EventOf<'run.started'> => {
    const { type, payload } = has.started(loop, beginning);
    return { type, payload: { ...payload, settings: { ...payload.settings, ...more } } };
  };
  const priced = { prices: { 'script:answers.json': PRICE }, summaryTokens: 100 };
  if (loop === 'ralph') return ralphOpenings(open);
  if (loop === 'improvement') return improvementOpenings(open);
  if (loop === 'contest') return contestOpenings(open);
  return {
    checked: open({ checks: true }),
    proven: open({ checks: true, proof: true }),
    unchecked: open({}),
    long: open({ checks: true, limits: { ...UNLIMITED, maxSteps: 60, maxIterations: 30 } }),
    short: open({ checks: true, limits: { maxSteps: 2, maxIterations: 1, maxToolCalls: 4 } }),
    'one answer': open({ checks: true, limits: { maxSteps: 0 } }),
    tokens: open({ limits: { ...UNLIMITED, maxTokens: 260 } }, { summaryTokens: 100 }),
    calls: open({ limits: { ...UNLIMITED, maxTokens: 800, maxToolCalls: 2 } }),
    time: open({ checks: true, limits: { ...UNLIMITED, maxTimeMs: 90_000 } }),
    money: open({ limits: { ...UNLIMITED, maxSteps: 30, maxIterations: 8, maxCostNanoUsd: 9_000_000 } }, priced),
    'asked outside': open({ limits: { maxIterations: 6 } }, { ci: { command: 'ci', timeoutMs: 1_000 } }),
  };
}

type Open = (beginning: has.Beginning, more?: Partial<RunSettings>) => EventOf<'run.started'>;

/** Few, and small: edits of the file lead to many states. */
const ralphOpenings = (open: Open): ProofEnvironment['openings'] => ({
  checked: open({ checks: true, limits: { maxIterations: 2 } }),
  proven: open({ checks: true, proof: true, limits: { maxIterations: 1 } }),
  tokens: open({ limits: { ...UNLIMITED, maxTokens: 260 } }, { summaryTokens: 100, options: { ceiling: 2 } }),
  'a maximum that grows': open(
    { checks: true, limits: { maxIterations: 1 } },
    { options: { adaptive: true, ceiling: 2 } },
  ),
  'one that grows without checks': open({ limits: { maxIterations: 1 } }, { options: { adaptive: true, ceiling: 3 } }),
  'a low ceiling': open({ limits: { maxIterations: null } }, { options: { ceiling: 2 } }),
});

/** Few, and small, as for the Ralph loop. */
const improvementOpenings = (open: Open): ProofEnvironment['openings'] => ({
  checked: open({ checks: true, limits: { maxIterations: 2 } }),
  proven: open({ checks: true, proof: true, limits: { maxIterations: 1 } }),
  tokens: open({ limits: { ...UNLIMITED, maxTokens: 460 } }, { options: { phases: { filter: { maxCandidates: 2 } } } }),
  approved: open(
    { limits: { maxIterations: 1 } },
    { options: { phases: { integrate: { requireApproval: true }, experiment: { useBatchAPI: false } } } },
  ),
  'two at once': open({ limits: { maxIterations: 1 } }, { options: { phases: { experiment: { maxParallel: 2 } } } }),
  listed: open({ limits: { maxIterations: 2 } }, { options: { phases: { experiment: { enabled: false } } } }),
});

/** Few, and small, as for the Ralph loop. */
const contestOpenings = (open: Open): ProofEnvironment['openings'] => ({
  checked: open({ checks: true, limits: { maxIterations: 2 } }),
  proven: open({ checks: true, proof: true, limits: { maxIterations: 1 } }),
  unchecked: open({ limits: { maxIterations: 2 } }, { options: { parallel: 1 } }),
  tokens: open({ limits: { ...UNLIMITED, maxIterations: 2, maxTokens: 260 } }, { summaryTokens: 100 }),
});

/** A decision to go on is followed by what it starts, and what is set aside for that. */
function begins(event: LoopEvent, state: RunState): LoopEvent | null {
  if (event.type !== 'decision.made' || event.payload.action !== 'continue') return null;
  if (lifeOf(state).baseline === 'running') return null;
  const { iterations, steps, queue, spares } = state.snapshot.context;
  if (queue?.[0] !== undefined) return experimentStarted({ queue, spares });
  return iterations === undefined ? step(steps, lifeOf(state)) : attempt(iterations, lifeOf(state));
}

function step(number: number, life: Life): LoopEvent {
  const left = leftFor(life, 'model');
  const begun = has.stepStarted(number);
  if (!isLimited(left)) return begun;
  const reserved = reservationFor(left, { inputTokens: 30, price: left.nanoUsd === null ? null : PRICE });
  return { ...begun, payload: { ...begun.payload, reserved } };
}

/** Sometimes nothing is set aside, as in logs from before anything was. */
function attempt(number: number, life: Life): LoopEvent {
  const left = leftFor(life, 'agent');
  const begun = has.iterationStarted(number);
  return isLimited(left) && number % 3 !== 1 ? { ...begun, payload: { ...begun.payload, reserved: left } } : begun;
}

/** Events that may come at any time, and that answer no effect. */
const remarks: readonly LoopEvent[] = [
  has.warned,
  has.steered,
  has.paused,
  has.resumed(),
  has.resumed(3_600_000),
  has.continued({ maxSteps: 40 }, 1_000),
  has.abortRequested(),
  has.abortRequested('error', 'an actor broke its promise'),
];

const MIGRATED: LoopEvent = { type: 'run.migrated', payload: { from: 'turn@1', to: 'turn@99' } };

/** The whole vocabulary, for saying the wrong thing at the wrong time. */
const noise: readonly LoopEvent[] = [
  ...unexpectedAnswers,
  ...remarks,
  has.stepStarted(7),
  has.iterationStarted(7),
  MIGRATED,
];

const noiseOf: Readonly<Record<Loop, readonly LoopEvent[]>> = {
  turn: noise,
  iteration: noise,
  ralph: [...noise, ...ralphNoise, fileNoticed],
  improvement: [...noise, ...improvementNoise],
  contest: [...noise, ...contestNoise],
};

/** The environments of the loops that ship: all that may happen to them, the unlikely included. */
export const environments: Readonly<Record<Loop, ProofEnvironment>> = {
  turn: environmentOf('turn'),
  iteration: environmentOf('iteration'),
  ralph: environmentOf('ralph'),
  improvement: environmentOf('improvement'),
  contest: environmentOf('contest'),
};

export const environmentFor = ({ id }: CatalogueEntry): ProofEnvironment =>
  environments[
    (['turn', 'ralph', 'improvement', 'contest'] as const).find((name) => id.startsWith(`${name}@`)) ?? 'iteration'
  ];

/** The newest version of a loop. */
export const entryOf = (loop: Loop): LoopDefinition => loopNamed(loop, shippedLoops);
