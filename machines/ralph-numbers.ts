import type { RalphEvent, Recorded } from './events.ts';
import type { Life, Opening } from './life.ts';
import type { StateChanges, StateEdit } from './ralph-facts.ts';

// The numbers of a loop with a state file, and what an edit of the file makes of them. The file has those for people.
// `mostIterations` bounds the iterations that really run, and is never above the ceiling.

/** The most iterations of a run, where its options name no lower ceiling. */
export const DEFAULT_CEILING = 100;
/** How many iterations an adaptive maximum grows by at once. */
const GROWTH = 2;
/** An adaptive maximum grows to at most so many times the last one that a person has given. */
const MOST_GROWTH = 2;

/** The state file, as far as the chart goes. */
export interface FileNumbers {
  /** SHA-256 of the file as the loop has left it, or as it was last edited. Null: never written. */
  readonly digest: string | null;
  /** As the file has it: 0 is unlimited, below the ceiling. Null: as the limits say. */
  readonly maximum: number | null;
  /** What the file's iteration is ahead of the iterations that have run: a person may have changed it. */
  readonly ahead: number;
  /** The bound before it has grown: the one that a person has given last. */
  readonly first: number;
}

/** The part of the context that these functions read and change. */
export interface Numbers {
  readonly ceiling: number;
  readonly isAdaptive: boolean;
  readonly file: FileNumbers;
}

/** An edit that waits for a person, without its texts. */
export interface HeldEdit {
  readonly digest: string;
  readonly changes: Pick<StateChanges, 'maxIterations' | 'iteration'>;
}

export type Counting = Numbers & Pick<Life, 'limits'> & { readonly iterations: number };
type Event = Recorded<RalphEvent>;

/** The beginning of a run. */
export function bornWith(opening: Opening | undefined): Numbers {
  const settings = opening?.started.payload.settings;
  const { ceiling, adaptive, isUnlimited } = Object(settings?.options) as { readonly [option: string]: unknown };
  // The limit that was resolved is the ceiling then.
  const maximum = isUnlimited === true ? 0 : null;
  const most = typeof ceiling === 'number' ? ceiling : DEFAULT_CEILING;
  const first = Math.min(settings?.limits.maxIterations ?? most, most);
  return { ceiling: most, isAdaptive: adaptive === true, file: { digest: null, maximum, ahead: 0, first } };
}

/** The maximum in the file: 0 is unlimited, below the ceiling. */
export const shownMaximum = ({ file, limits }: Pick<Counting, 'file' | 'limits'>): number =>
  file.maximum ?? limits.maxIterations ?? 0;

/** How many iterations may run: by the file where it was edited, else by the limits, and never above the ceiling. */
export function mostIterations(context: Pick<Counting, 'file' | 'limits' | 'ceiling'>): number {
  const { ceiling, file } = context;
  const shown = shownMaximum(context);
  return shown === 0 && context.limits.maxIterations !== 0
    ? ceiling
    : Math.min(ceiling, Math.max(0, shown - file.ahead));
}

/** A continuation has limits of its own: what people have made of the earlier ones no longer counts. */
export function continued(context: Counting) {
  const { digest } = context.file;
  const first = Math.min(context.limits.maxIterations ?? context.ceiling, context.ceiling);
  return { ...context, file: { digest, maximum: null, ahead: 0, first }, edit: null, stopped: null };
}

/**
 * The numbers of the file, for people: the iteration that runs, and the maximum, which is the ceiling where the file
 * has none. They are those of the run until a person edits the iteration.
 */
export function shownNumbers(context: Counting): { readonly iteration: number; readonly maximum: number } {
  const { file, iterations, ceiling, limits } = context;
  const shown = shownMaximum(context);
  const highest = ceiling + file.ahead;
  return {
    iteration: Math.max(1, iterations + file.ahead),
    maximum: Math.max(0, shown === 0 && limits.maxIterations !== 0 ? highest : Math.min(highest, shown)),
  };
}

/** The edit that an event carries. */
export function editIn({ type, payload }: Event): StateEdit | null {
  return type === 'state_file.edited' || type === 'state_file.revisited' ? payload.edit : null;
}

function fileAfter(context: Counting, digest: string | null, changes: HeldEdit['changes']): FileNumbers {
  const { iteration, maxIterations } = changes;
  const ahead = iteration === undefined ? context.file.ahead : iteration - context.iterations;
  const file = { ...context.file, digest, ahead, maximum: maxIterations ?? context.file.maximum };
  return { ...file, first: maxIterations === undefined ? file.first : mostIterations({ ...context, file }) };
}

/**
 * What of an edit counts at once: all of it, or of one that is held what only a person can have written. Then the file
 * is not known as a whole, so its digest stays.
 */
const fileAtOnce = (context: Counting, { held, digest, changes, persons = {} }: StateEdit): FileNumbers =>
  held ? fileAfter(context, context.file.digest, persons) : fileAfter(context, digest, changes);

/** How many iterations may run once the edit of an event counts. */
export function boundAfter(context: Counting, event: Event): number {
  const edit = editIn(event);
  return mostIterations(edit ? { ...context, file: fileAtOnce(context, edit) } : context);
}

/** An edit that counts at once. */
export function edited(context: Counting, event: Event) {
  const edit = editIn(event);
  return edit ? { edit: null, file: fileAtOnce(context, edit) } : {};
}

/** An edit that waits for a person. */
export function held(context: Counting, event: Event) {
  const edit = editIn(event);
  if (!edit) return {};
  const { maxIterations, iteration } = edit.changes;
  const changes = {
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(iteration === undefined ? {} : { iteration }),
  };
  return { edit: { digest: edit.digest, changes }, file: fileAtOnce(context, edit) };
}

/** The edit that a person has allowed. */
export const approved = (context: Counting & { readonly edit: HeldEdit | null }) =>
  context.edit ? { edit: null, file: fileAfter(context, context.edit.digest, context.edit.changes) } : {};

/** The content of a denied edit is known from now on, so that the next writing replaces it. */
export const denied = ({ file, edit }: Numbers & { readonly edit: HeldEdit | null }) => ({
  edit: null,
  file: { ...file, digest: edit?.digest ?? file.digest },
});

/** What the loop itself has written, or is about to write over. */
export function written({ file }: Numbers, { type, payload }: Event) {
  return type === 'state_file.written' || type === 'state_file.superseded'
    ? { file: { ...file, digest: payload.digest } }
    : {};
}

/** Whether a person rules on exactly the content that waits. */
export const isRuledOn = ({ edit }: { readonly edit: HeldEdit | null }, { type, payload }: Event): boolean =>
  (type === 'edit.approved' || type === 'edit.denied') && payload.digest === edit?.digest;

/** Why the file has stopped the loop, and the event that shows it. */
export interface StoppedByFile {
  readonly reason: string;
  readonly version: number;
}

/** The file says that the loop is to stop. */
export function stopped({ file }: Numbers, event: Event) {
  const edit = editIn(event);
  if (!edit) return {};
  const { reason = 'the state file says that the loop is not active', digest } = edit;
  return { file: { ...file, digest }, stopped: { reason, version: event.version } };
}

const mostGrown = ({ file, ceiling }: Numbers): number => Math.min(file.first * MOST_GROWTH, ceiling);

/** Whether changes let the maximum grow further than before, as a lower one may that has grown already. */
export const letGrow = (context: Counting, changes: HeldEdit['changes']): boolean =>
  context.isAdaptive &&
  mostGrown({ ...context, file: fileAfter(context, context.file.digest, changes) }) > mostGrown(context);

/** Whether the maximum is reached, and may still grow. */
export const mayGrow = (context: Counting): boolean =>
  context.isAdaptive && context.iterations >= mostIterations(context) && mostIterations(context) < mostGrown(context);

/** The maximum after one growth. */
export const nextMaximum = (context: Counting): number =>
  Math.min(mostIterations(context) + GROWTH, mostGrown(context));

export const isGrowth = (context: Counting, { from, to }: { readonly from: number; readonly to: number }): boolean =>
  from === mostIterations(context) && to > from && to <= mostGrown(context);

export const grown = ({ file }: Numbers, { type, payload }: Event) =>
  type === 'maximum.raised' ? { file: { ...file, maximum: payload.to + file.ahead } } : {};

/** Effects that had not ended when a run below, or a pause, was over. */
export interface LeftAtWork {
  /** When it was known that they had. Null: it is not known yet. */
  readonly until: string | null;
}

/** Of an attempt or a pause that is over: whether something of the run is still at work. */
export function leftAfter({ leftAtWork }: { readonly leftAtWork: LeftAtWork | null }, { type, payload, at }: Event) {
  if (type !== 'child.settled' && type !== 'run.paused') return {};
  if (payload.unfinished) return { leftAtWork: { until: null } };
  return leftAtWork?.until === null ? { leftAtWork: { until: at } } : {};
}

/** After a pause: between the two only people were at work. */
export const idleAfterPause = ({ pausedAt }: { readonly pausedAt: string | null }, { type, at }: Event) =>
  type === 'run.resumed' && pausedAt !== null ? { idle: { from: pausedAt, to: at }, pausedAt: null } : {};

/**
 * After a wait for a person. Where the run is paused, too, an answer ends only the wait: until the run is resumed there
 * is still nothing at work but people.
 */
export function idleAfterWait({ waitingSince, pausedAt }: Waiting, { type, at }: Event) {
  if (waitingSince === null) return {};
  const isPaused = pausedAt !== null && type !== 'run.resumed';
  return { idle: { from: waitingSince, to: at }, pausedAt: isPaused ? waitingSince : null };
}

type Waiting = Pick<Life, 'waitingSince'> & { readonly pausedAt: string | null };
