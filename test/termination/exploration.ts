import { MAX_AGENT_EVENTS_A_STEP } from '../../machines/agent-report.ts';
import type { LoopEvent, Recorded } from '../../machines/events.ts';
import type { ContestContext } from '../../machines/contest-lanes.ts';
import { type Lane, MAX_NOTES } from '../../machines/improvement-progress.ts';
import { MAX_RETRIES_A_STEP, MAX_WAITS_A_STEP } from '../../machines/turn.machine.ts';
import { MAX_WARNINGS_A_ROUND } from '../../machines/life.ts';
import { transitionId } from '../../src/charts/transitions.ts';
import { open, type RunState, tracedFold } from '../../src/kernel/fold.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { refusal } from '../../src/kernel/step.ts';
import { type Beginning, type Loop, started } from '../support/facts.ts';
import { timeAt } from '../support/given.ts';
import { offers } from './offers.ts';
import { isOutside } from './ranked.ts';

/** One event that one state takes. */
export interface Taken {
  readonly event: Recorded<LoopEvent>;
  readonly before: RunState;
  /** As it is, before anything is left out. */
  readonly after: RunState;
  readonly transitions: readonly string[];
}

/** What is kept of it: there are a hundred thousand, and their states would fill the memory. */
export interface Edge {
  /** `outside`: input from outside; `continuation`: input that gives the run another bound. */
  readonly by: 'run' | 'outside' | 'continuation';
  readonly from: string;
  readonly to: string;
  /** How many events it stands for: itself, and those that are left out after it. */
  readonly events: number;
}

export interface Explored {
  readonly first: string;
  readonly edges: readonly Edge[];
}

export const opened = (loop: Loop, beginning: Beginning): RunState => {
  const result = open({ ...started(loop, beginning), at: timeAt(0), version: 1 });
  if (result.kind !== 'opened') throw new Error(`no machine ${result.machine}`);
  return result.state;
};

/**
 * Counters whose guards only ask whether a limit is reached: having counted once, the next that matters is the last
 * before it. What is left out between is as many times the same, a number of events each.
 */
const LEAPS = [
  { counter: 'warnings', from: 1, to: MAX_WARNINGS_A_ROUND - 1, events: 1 },
  { counter: 'notes', from: 1, to: MAX_NOTES - 1, events: 1 },
  { counter: 'reports', from: 1, to: MAX_AGENT_EVENTS_A_STEP - 1, events: 1 },
  { counter: 'waits', from: 1, to: MAX_WAITS_A_STEP - 1, events: 2 },
  { counter: 'retries', from: 1, to: MAX_RETRIES_A_STEP - 1, events: 1 },
  { counter: 'retries', from: MAX_RETRIES_A_STEP + 2, to: 2 * MAX_RETRIES_A_STEP - 1, events: 1 },
] as const;

/** A search that has found more states than this has found a counter that nothing bounds. */
const MAX_STATES = 30_000;

/** Every state that a run can come to, and every event that each of them takes: each is looked at once. */
export function explored(
  loop: Loop,
  beginning: Beginning,
  without: readonly LoopEvent['type'][],
  look: (taken: Taken) => void,
): Explored {
  const start = opened(loop, beginning);
  const states = new Set([keyOf(start)]);
  const open: { from: string; state: RunState; last: Recorded<LoopEvent> | null }[] = [
    { from: keyOf(start), state: start, last: null },
  ];
  const edges: Edge[] = [];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { from, state, last } = next;
    for (const offered of offers(state, last)) {
      if (without.includes(offered.type)) continue;
      const event = { ...offered, at: state.at, version: state.version + 1 };
      if (refusal(state.snapshot, event)) continue;
      const { state: after, transitions } = tracedFold(state, event);
      look({ event, before: state, after, transitions: transitions.map(transitionId) });
      const { state: reached, events } = leapt(after);
      const to = keyOf(reached);
      edges.push({ by: sourceOf(event, state), from, to, events });
      if (!states.has(to)) open.push({ from: to, state: reached, last: event });
      states.add(to);
      if (states.size > MAX_STATES) throw new Error(`more than ${MAX_STATES} states: ${to}`);
    }
  }
  return { first: keyOf(start), edges };
}

function leapt(state: RunState): { state: RunState; events: number } {
  const { context } = state.snapshot;
  const leap = LEAPS.find(({ counter, from }) => context[counter] === from);
  if (!leap) return { state, events: 1 };
  const { counter, from, to, events } = leap;
  const snapshot = Object.assign(Object.create(Object.getPrototypeOf(state.snapshot)), state.snapshot, {
    context: { ...context, [counter]: to },
  });
  return { state: { ...state, snapshot }, events: 1 + (to - from) * events };
}

function sourceOf(event: LoopEvent, state: RunState): Edge['by'] {
  if (event.type === 'run.continued') return 'continuation';
  return isOutside(event, state) ? 'outside' : 'run';
}

/** The attempts of a contest: in the order in which they are looked at. */
const competingIn = ({ lanes, standing, isUncompared, isDecided, leader, brought }: ContestContext) => [
  ...lanes.toSorted((one, other) => one.version - other.version).map(({ lane, phase }) => `${lane}:${phase}`),
  Object.keys(standing).join(),
  isUncompared,
  isDecided,
  leader,
  brought?.lane,
];

/** All that a guard, or what is owed, depends on. */
function keyOf({ snapshot, outstanding }: RunState): string {
  const { context } = snapshot;
  const { spend, waits, retries, reports, warnings, iterations, pending } = context;
  const counters = [spend.steps, spend.toolCalls, iterations, waits, retries, reports, warnings];
  const { compacted, deadlinePassed, isBeginning, attempt, outcome } = context;
  const isFinished = context.finished != null;
  const flags = [
    isFinished,
    compacted,
    deadlinePassed,
    isBeginning,
    context.waitingSince !== null,
    context.dispute?.isRuled,
    attempt?.succeeded,
    outcome?.ending,
  ];
  const { notes, queue, lanes, spares, improvements, experiments, candidate, modification, result, isExhausted } =
    context;
  const phases = (lanes as readonly Lane[] | undefined)?.map((lane) => `${lane.candidate}:${lane.phase}`);
  const begun = [queue, phases, spares, improvements, experiments];
  const improving = [notes, begun, candidate, modification, result?.type, isExhausted];
  const owing = Object.entries(pending as object).flat();
  const { file, edit, stopped, isGlancing } = context;
  const { maximum, ahead, first } = file ?? {};
  const competing = 'standing' in context ? competingIn(context as unknown as ContestContext) : [];
  const edited = file ? [maximum, ahead, first, JSON.stringify(edit), stopped !== null, isGlancing] : [];
  return [
    placeOf(snapshot),
    typeof context.baseline === 'string' ? context.baseline : '',
    counters,
    flags,
    edited,
    queue ? improving : [],
    competing,
    owing,
    outstanding.map(({ key, told }) => `${key}${told ? '!' : ''}`),
  ]
    .flat(2)
    .join(' ');
}

/**
 * The largest number of events of a way that has no input from outside. Null: there is a way that comes back to where
 * it was.
 */
export function longest({ first, edges }: Explored): number | null {
  const leaving = Map.groupBy(
    edges.filter(({ by }) => by === 'run'),
    ({ from }) => from,
  );
  const known = new Map<string, number>();
  const open = new Set<string>();
  const stack = [first];
  while (stack.length > 0) {
    const here = stack.at(-1) ?? first;
    const next = leaving.get(here) ?? [];
    const unknown = known.has(here) ? [] : next.filter(({ to }) => !known.has(to));
    if (unknown.some(({ to }) => open.has(to))) return null;
    if (unknown.length === 0) {
      known.set(here, Math.max(0, ...next.map(({ to, events }) => events + (known.get(to) ?? 0))));
      open.delete(here);
      stack.pop();
    } else {
      open.add(here);
      stack.push(unknown[0]?.to ?? first);
    }
  }
  return known.get(first) ?? 0;
}

/**
 * The largest number of a run's own events on a way that may have any input from outside, except continuations. Null:
 * there is a way on which they are more than `most`.
 */
export function longestWithInput({ first, edges }: Explored, most: number): number | null {
  const arriving = Map.groupBy(
    edges.filter(({ by }) => by !== 'continuation'),
    ({ to }) => to,
  );
  const known = new Map<string, number>();
  const open = new Set(edges.map(({ to }) => to));
  for (const here of open) {
    open.delete(here);
    const left = known.get(here) ?? 0;
    for (const { by, from, events } of arriving.get(here) ?? []) {
      const before = left + (by === 'run' ? events : 0);
      if (before > most) return null;
      if (before <= (known.get(from) ?? 0)) continue;
      known.set(from, before);
      open.add(from);
    }
  }
  return known.get(first) ?? 0;
}
