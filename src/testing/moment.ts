import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import { isClosed, transitionId, transitionsOf } from '../charts/transitions.ts';
import { fold, lifeOf, open, type RunState } from '../runtime/fold.ts';
import { withKept } from '../runtime/kept.ts';
import { placeOf } from '../runtime/mark.ts';
import { refusal, taken } from '../runtime/step.ts';
import { clock } from './clock.ts';
import type { World } from './world.ts';

/** A run in the middle of a search: where it stands, and what has just happened to it. */
export interface Moment {
  readonly state: RunState;
  readonly last: LoopEvent;
}

const SECOND_MS = 1000;
const timeOf = (version: number): string => clock(version * SECOND_MS);

/** A guard, an action or a context has thrown: at which event, and where the run stood. */
export class MachineThrew extends Error {
  override readonly name = 'MachineThrew';

  constructor(where: string, cause: unknown) {
    super(`${where} makes the machine throw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

const at = ({ state }: Moment, { type }: LoopEvent): string => `${type} in ${placeOf(state.snapshot)}`;

function toldWhere<Result>(where: string, ask: () => Result): Result {
  try {
    return ask();
  } catch (error) {
    throw new MachineThrew(where, error);
  }
}

/** How a run begins when it is opened so. Throws where the opening names another loop. */
export function begun(loop: CatalogueEntry, opening: EventOf<'run.started'>): Moment {
  const opened = toldWhere('run.started at the beginning', () => open({ ...opening, at: timeOf(1), version: 1 }, [loop]));
  if (opened.kind !== 'opened') throw new Error(`the opening names ${opened.machine}, the loop is ${loop.id}`);
  return { state: opened.state, last: opening };
}

/** An event as the next one of a run. */
export function next<Event extends LoopEvent>({ version }: Pick<RunState, 'version'>, event: Event): Recorded<Event> {
  return { ...event, at: timeOf(version + 1), version: version + 1 };
}

/** The moment after one more event, which must be one that the state takes. */
export const after = (moment: Moment, event: LoopEvent): Moment =>
  toldWhere(at(moment, event), () => ({ state: fold(moment.state, next(moment.state, event)), last: event }));

/** What may happen next: first what follows by itself, else answers and remarks. What the state refuses is among it. */
export function offered({ answers, follows, remarks }: World, { state, last }: Moment): readonly LoopEvent[] {
  const following = follows(last, state);
  if (following) return [following];
  const said = [...state.outstanding.flatMap((effect) => answers(effect, state)), ...remarks(state)];
  const events = said.map((event) => withKept(event, lifeOf(state), state.entry));
  return [...new Map(events.map((event) => [JSON.stringify(event), event])).values()];
}

export const takes = (moment: Moment, event: LoopEvent): boolean =>
  toldWhere(at(moment, event), () => refusal(moment.state.snapshot, next(moment.state, event)) === null);

/** The ids of what an event takes, or of what it finds closed. */
export const idsTaken = (moment: Moment, event: LoopEvent): string[] =>
  toldWhere(at(moment, event), () => taken(moment.state.entry.machine, moment.state.snapshot, next(moment.state, event)).map(transitionId));

/** The closed ways of a loop by their ids, with the events that may meet them. */
export function closedOf({ machine }: CatalogueEntry): ReadonlyMap<string, string | null> {
  return new Map(transitionsOf(machine).filter(isClosed).map(({ id, event }) => [id, event]));
}

/** What every loop remembers that counts, or stays as it is, or is asked about with more care: no flags. */
const ASIDE: readonly (keyof Life)[] = [
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
  'verification',
  'warnings',
  'steered',
  'outcome',
];

/** What the future of a moment depends on. Counters are left out, or a search among situations would find no end. */
export function situationOf({ follows }: World, { state, last }: Moment): string {
  const { context, status } = state.snapshot;
  const { pending, outcome }: Life = context;
  const owing = Object.entries(pending).map(([actor, how]) => `${actor.replace(/\d+/g, '#')} ${how}`);
  const flags = Object.entries(context).filter(([member]) => !(ASIDE as readonly string[]).includes(member)).map(([, value]) => flagOf(value));
  const isFollowed = follows(last, state) !== null;
  return JSON.stringify([placeOf(state.snapshot), status, isFollowed, owing.toSorted(), outcome?.ending ?? null, flags]);
}

/** Whether something is there, and what is true or false within it. */
function flagOf(value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return true;
  return Object.entries(value).filter(([, within]) => typeof within === 'boolean');
}
