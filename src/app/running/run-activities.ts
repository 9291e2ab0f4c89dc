import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  firstValueFrom,
  from,
  map,
  merge,
  type Observable,
} from 'rxjs';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Activity, Fact } from '../../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { EventStore } from '../../log/event-store.ts';
import { Reading, readAlone } from '../../log/reading.ts';
import { Activities, type FoldedActivity, MAX_ACTIVITY_TEXT_CHARS } from '../../projections/activities.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { excerpt } from '../../text/excerpt.ts';

/** What a run of attempts does, as people who wait for it are told. Texts are bounded: their middle is left out. */
export interface RunActivity extends Activity {
  readonly run: string;
  /** When it was recorded: RFC 3339. */
  readonly at: string;
  /** The prompt of the attempt that begins after another one. */
  readonly continuationPrompt: string | null;
  /** What the attempt before it answered. */
  readonly lastResponse: string | null;
}

export interface ActivitiesOf {
  readonly log: EventStore;
  readonly loops: readonly LoopDefinition[];
  /** The facts of the run, from its first on. */
  readonly events: Observable<Envelope>;
  /** The facts of the run and those below it, from now on. */
  readonly tree: Observable<Envelope>;
}

/** The activities of a run, past ones first. Each waits until the attempt that it announces has begun. */
export const activitiesOf = (of: ActivitiesOf): Observable<RunActivity> =>
  // Each subscriber folds the run for itself, from the first fact on.
  defer(() => {
    const reading = new Reading(of.loops);
    const announced = new Announced(of.loops);
    const facts = of.events.pipe(
      concatMap((envelope) => {
        const read = reading.read(envelope);
        return read.kind === 'event' ? announced.observe(read.event) : [];
      }),
    );
    // A run that leaves before the attempt has begun is told of without its prompt.
    const last = defer(() => announced.rest());
    return concat(facts, last).pipe(concatMap((announcement) => told(of, announcement)));
  });

interface Announcement {
  readonly activity: FoldedActivity;
  /** The effect (`RUN/version/n`) that runs the attempt which the activity announces. Null: none has begun. */
  readonly attempt: string | null;
}

/**
 * Brings each activity together with the attempt that it announces. A loop may do something else before its attempt
 * begins, such as writing a file, so a later fact can be the one that begins it.
 */
class Announced {
  readonly #activities: Activities;
  #open: FoldedActivity | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#activities = new Activities(loops);
  }

  observe(fact: Fact): readonly Announcement[] {
    const activity = this.#activities.observe(fact);
    const { begun, opensRuns } = this.#activities;
    if (!activity) return begun === null ? [] : this.rest(begun);
    const before = this.rest();
    if (activity.status === 'continuing' && begun === null && opensRuns) {
      this.#open = activity;
      return before;
    }
    return [...before, { activity, attempt: begun }];
  }

  /** The activity whose attempt has not begun until now. */
  rest(attempt: string | null = null): readonly Announcement[] {
    const activity = this.#open;
    this.#open = null;
    return activity ? [{ activity, attempt }] : [];
  }
}

async function told(of: ActivitiesOf, { activity, attempt }: Announcement): Promise<RunActivity> {
  const { version: _, ...shown } = activity;
  const isContinuing = activity.status === 'continuing' && attempt !== null;
  const prompt = isContinuing ? await promptOf(of, attempt) : null;
  return { ...shown, continuationPrompt: prompt === null ? null : excerpt(prompt, MAX_ACTIVITY_TEXT_CHARS) };
}

/** The prompt of the attempt that an effect (`RUN/version/n`) opens. Null where the effect ends without opening any. */
async function promptOf({ log, loops, tree }: ActivitiesOf, effect: string): Promise<string | null> {
  const coming = tree.pipe(
    map((envelope) => ({ settings: startedBy(envelope, effect, loops), isAnswer: answers(envelope, effect) })),
    filter(({ settings, isAnswer }) => settings !== null || isAnswer),
    map(({ settings }) => settings),
  );
  const before = from(recorded(log, effect)).pipe(
    filter((settings) => settings !== null),
    // The log may be closed by now.
    catchError(() => EMPTY),
  );
  const settings = await firstValueFrom(merge(coming, before), { defaultValue: null });
  return settings?.prompt ?? null;
}

function startedBy(envelope: Envelope, effect: string, loops: readonly LoopDefinition[]): RunSettings | null {
  if (envelope.type !== 'run.started') return null;
  const read = readAlone(envelope, loops);
  if (read.kind !== 'event' || read.event.type !== 'run.started') return null;
  const { settings } = read.event.payload;
  return settings.parent?.effect === effect ? settings : null;
}

const answers = ({ run, causation }: Envelope, effect: string): boolean => `${run}/${causation}` === effect;

async function recorded(log: EventStore, effect: string): Promise<RunSettings | null> {
  const opened = await log.findByParentEffect(effect);
  return opened && readSettings(log, opened.run);
}
