import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import { isClosed, transitionId, transitionsOf } from '../charts/transitions.ts';
import { fold, lifeOf, open, type RunState, tracedFold } from '../kernel/fold.ts';
import { withUnsettledReservation } from '../kernel/reservation-without-end.ts';
import { placeOf } from '../kernel/position.ts';
import { refusal, taken } from '../kernel/step.ts';
import { timeAt } from './proof-time.ts';
import type { ProofEnvironment } from './proof-environment.ts';

/** A node of the search: the state of a run, and its last event. */
export interface SearchState {
  readonly state: RunState;
  readonly last: LoopEvent;
}

const SECOND_MS = 1000;
/** Runs of a search are short, and it asks for the same times again and again. */
const times = new Map<number, string>();
function timeOf(version: number): string {
  const at = times.get(version) ?? timeAt(version * SECOND_MS);
  times.set(version, at);
  return at;
}

/** A guard, an action or a context threw: the message names the event and the state. */
export class MachineThrew extends Error {
  override readonly name = 'MachineThrew';

  constructor(where: string, cause: unknown) {
    super(`${where} makes the machine throw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

const at = ({ state }: SearchState, { type }: LoopEvent): string => `${type} in ${placeOf(state.snapshot)}`;

function namingWhere<Result>(where: string, ask: () => Result): Result {
  try {
    return ask();
  } catch (error) {
    throw new MachineThrew(where, error);
  }
}

/** The first node for an opening. Throws where the opening names another loop. */
export function begun(loop: CatalogueEntry, opening: EventOf<'run.started'>): SearchState {
  const opened = namingWhere('run.started at the beginning', () =>
    open({ ...opening, at: timeOf(1), version: 1 }, [loop]),
  );
  if (opened.kind !== 'opened') throw new Error(`the opening names ${opened.machine}, the loop is ${loop.id}`);
  return { state: opened.state, last: opening };
}

/** The event as the next recorded one of a run. */
export function next<Event extends LoopEvent>({ version }: Pick<RunState, 'version'>, event: Event): Recorded<Event> {
  return { ...event, at: timeOf(version + 1), version: version + 1 };
}

/** The node after one more event, which the state must accept. */
export const after = (node: SearchState, event: LoopEvent): SearchState =>
  namingWhere(at(node, event), () => ({ state: fold(node.state, next(node.state, event)), last: event }));

/** `after`, and the ids of the transitions that the event takes. */
export const tracedAfter = (
  node: SearchState,
  event: LoopEvent,
): { readonly end: SearchState; readonly ids: string[] } =>
  namingWhere(at(node, event), () => {
    const { state, transitions } = tracedFold(node.state, next(node.state, event));
    return { end: { state, last: event }, ids: transitions.map(transitionId) };
  });

/**
 * The events that may come next: the one that follows in the same transaction, else answers and remarks. The state may
 * refuse some of them.
 */
export function offered(
  { answers, follows, remarks }: ProofEnvironment,
  { state, last }: SearchState,
): readonly LoopEvent[] {
  const following = follows(last, state);
  if (following) return [following];
  const said = [...state.outstanding.flatMap((effect) => answers(effect, state)), ...remarks(state)];
  // Most are offered several times as one object, which is seen at once.
  const events = new Set(said.map((event) => withUnsettledReservation(event, lifeOf(state), state.entry)));
  return [...new Map([...events].map((event) => [JSON.stringify(event), event])).values()];
}

export const takes = (node: SearchState, event: LoopEvent): boolean =>
  namingWhere(at(node, event), () => refusal(node.state.snapshot, next(node.state, event)) === null);

/** The ids of the transitions that an event takes, or meets closed. */
export const idsTaken = (node: SearchState, event: LoopEvent): string[] =>
  namingWhere(at(node, event), () =>
    taken(node.state.entry.machine, node.state.snapshot, next(node.state, event)).map(transitionId),
  );

/**
 * The ids of the transitions that an event finds open or closed, before any of them is taken: a small part of the work
 * of `idsTaken`.
 */
export const idsMet = (node: SearchState, event: LoopEvent): string[] =>
  namingWhere(at(node, event), () =>
    node.state.entry.machine.getTransitionData(node.state.snapshot, next(node.state, event)).map(transitionId),
  );

/** The closed transitions of a loop by id, with the event that meets each of them. */
export function closedOf({ machine }: CatalogueEntry): ReadonlyMap<string, string | null> {
  return new Map(
    transitionsOf(machine)
      .filter(isClosed)
      .map(({ id, event }) => [id, event]),
  );
}

/**
 * Members of every loop's context that are no flags: counters, constants, and those that `signatureOf` reads itself.
 */
const LEFT_OUT: readonly (keyof Life)[] = [
  'limits',
  'hasChecks',
  'hasCi',
  'graceMs',
  'clockStart',
  'due',
  'pending',
  'spend',
  'reserved',
  'workspace',
  'baseline',
  'verification',
  'warnings',
  'steered',
  'outcome',
];

/** A key for what the future of a node depends on. Counters are left out: with them the search would not terminate. */
export function signatureOf({ follows, unread = [] }: ProofEnvironment, { state, last }: SearchState): string {
  const { context, status } = state.snapshot;
  const { pending, outcome, baseline }: Life = context;
  const owing = Object.entries(pending).map(([actor, how]) => `${actor.replace(/\d+/g, '#')} ${how}`);
  const flags = Object.entries(context)
    .filter(([member]) => !(LEFT_OUT as readonly string[]).includes(member) && !unread.includes(member))
    .map(([, value]) => flagOf(value));
  const isFollowed = follows(last, state) !== null;
  return JSON.stringify([
    placeOf(state.snapshot),
    status,
    isFollowed,
    owing.toSorted(),
    outcome?.ending ?? null,
    typeof baseline === 'string' ? baseline : null,
    flags,
  ]);
}

/** Whether a value is set, and its boolean members. */
function flagOf(value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return true;
  return Object.entries(value).filter(([, within]) => typeof within === 'boolean');
}
