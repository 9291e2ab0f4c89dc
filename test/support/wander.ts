import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { fold, lifeOf, open, type RunState } from '../../src/runtime/fold.ts';
import { refusal } from '../../src/runtime/step.ts';
import { answersTo, interventions, remarks } from './answers.ts';
import { type Beginning, iterationStarted, started, stepStarted, summaryWritten } from './facts.ts';
import { clock } from './given.ts';

/** One entry of a log, and the states around it. */
export interface Happening {
  readonly event: Recorded<LoopEvent>;
  /** The effect (`version/n`) that it answers. */
  readonly causation: string | null;
  readonly before: RunState;
  readonly after: RunState;
}

export interface Wandering {
  readonly started: Recorded<EventOf<'run.started'>>;
  readonly first: RunState;
  readonly happenings: readonly Happening[];
  /** What was tried in vain, and where. */
  readonly refused: readonly { readonly event: Recorded<LoopEvent>; readonly at: RunState }[];
  readonly last: RunState;
}

interface Move {
  readonly event: LoopEvent;
  readonly causation: string | null;
}

/**
 * A run as chance would have it: mostly answers to what is outstanding, now and then somebody who intervenes, and words
 * that nobody asked for. The same choices give the same run.
 */
export function wander(loop: RunSettings['loop'], beginning: Beginning, choices: readonly number[]): Wandering {
  const opening = { ...started(loop, beginning), at: clock(0), version: 1 };
  const opened = open(opening);
  if (opened.kind !== 'opened') throw new Error(`no machine ${opened.machine}`);
  const happenings: Happening[] = [];
  const refused: { event: Recorded<LoopEvent>; at: RunState }[] = [];
  let state = opened.state;
  let now = 0;
  for (const choice of choices) {
    now += choice % 30_000;
    for (let move: Move | null = chosen(state, choice); move; move = begins(move, state)) {
      const event: Recorded<LoopEvent> = { ...move.event, at: clock(now), version: state.version + 1 };
      if (refusal(state.snapshot, event)) {
        refused.push({ event, at: state });
        break;
      }
      const after = fold(state, event);
      happenings.push({ event, causation: move.causation, before: state, after });
      state = after;
    }
  }
  return { started: opening, first: opened.state, happenings, refused, last: state };
}

function chosen(state: RunState, choice: number): Move {
  const kind = choice % 16;
  const which = Math.floor(choice / 16);
  const step = Math.max(0, lifeOf(state).spend.steps - 1);
  const answerers = state.outstanding.filter(({ key }) => key !== 'deadline');
  const answerer = answerers[which % answerers.length];
  if (kind < 12 && answerer) return { event: pick(answersTo(answerer, step), which), causation: answerer.effect };
  if (kind < 14) return unasked(pick(remarks, which));
  if (kind < 15) return answering(state, pick(interventions, which));
  return answering(state, pick(everything, which));
}

/** A decision to go on is followed by what it starts. */
function begins({ event }: Move, state: RunState): Move | null {
  if (event.type !== 'decision.made' || event.payload.action !== 'continue') return null;
  const { iterations } = state.snapshot.context;
  return unasked(iterations === undefined ? stepStarted(lifeOf(state).spend.steps) : iterationStarted(iterations));
}

/** Whoever says what an outstanding effect would have said has answered for it. */
function answering(state: RunState, event: LoopEvent): Move {
  const word = speaksFor(event);
  const answered = state.outstanding.find((one) => answersTo(one, 0).some((answer) => speaksFor(answer) === word));
  return { event, causation: answered?.effect ?? null };
}

function speaksFor({ type, payload }: LoopEvent): string {
  const { timer, actor, callId } = payload as { readonly [name: string]: unknown };
  return [type, timer, actor, callId].join(' ');
}

const unasked = (event: LoopEvent): Move => ({ event, causation: null });
const pick = <Item>(items: readonly Item[], which: number): Item => items[which % items.length] as Item;

const actors = [
  'judge',
  'streamModel',
  'admitCalls',
  'runTool',
  'askPerson',
  'captureWorkspace',
  'verifyWork',
  'runAgent',
  'summarise',
  'endStrategy',
];
const timers = ['deadline', 'grace', 'ending', 'retry'];
/** The whole vocabulary, for saying the wrong thing at the wrong time. It answers for calls that nobody makes. */
export const everything: readonly LoopEvent[] = [
  ...actors.flatMap((actor) => answersTo({ actor, key: 'compaction', input: { callId: '99.9' } }, 99)),
  ...timers.flatMap((timer) => answersTo({ actor: 'timer', key: timer, input: { timer } }, 99)),
  ...answersTo({ actor: 'runAgent', key: 'agent', input: {} }, 99),
  ...remarks,
  ...interventions,
  summaryWritten,
  stepStarted(7),
  iterationStarted(7),
];
