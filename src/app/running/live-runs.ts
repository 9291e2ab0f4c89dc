import { defer, EMPTY, type Observable } from 'rxjs';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { Report } from '../../log/outbox-store.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import type { RunDelta } from '../../runtime/run-tree.ts';
import type { Live, Watch } from '../../runtime/own-tree.ts';
import { endOf } from './live-end.ts';
import type { AppHost } from '../app-host.ts';
import { pauseForRemedy } from './pause-for-remedy.ts';
import { activitiesOf, type RunActivity } from './run-activities.ts';
import { factsWhileLive } from '../records/runs-of-log.ts';
import { trackerOf } from '../records/run-tracker.ts';

/** A run under way in this process. */
export interface LiveRun extends Live {
  /**
   * The run's facts from its first on, each once it is durable. Completes when the run has ended, or left this process.
   */
  readonly events: Observable<Envelope>;
  /**
   * What a loop of attempts does, as people who wait for it are told: it has started, continues, has ended. Past ones
   * first; completes with `events`.
   */
  readonly activities: Observable<RunActivity>;
  /** What programs that track its phases are told, past events first. Completes with `events`. */
  readonly tracker: ReturnType<typeof trackerOf>;
  /**
   * Resolves after `done`, with the reports of this run to webhooks that are still owed. Waits for them at most 10 s.
   * A later process of the log makes their next tries as they become due, and `deliver` tries all of them at once.
   */
  readonly reported: Promise<readonly Report[]>;
  /** Ends the wait of `reported`, also before it begins. */
  readonly stopReporting: () => void;
  /** Output of the run and its children while their effects run. It is not recorded. */
  readonly deltas: Observable<RunDelta>;
  /** Warnings about the settings, which are valid all the same. */
  readonly warnings: readonly string[];
}

/** A result of the runtime whose live run has its events and deltas. */
export type WithLiveRun<Result> = Exclude<Result, { kind: 'live' }> | { readonly kind: 'live'; readonly live: LiveRun };

type Host = Pick<AppHost, 'log' | 'definitions' | 'warn' | 'services' | 'supervisor' | 'reporting' | 'variables'>;

interface AboutRun {
  readonly warnings?: readonly string[];
  /** Resolves when its captures say that it works again. */
  readonly marked?: Promise<void> | undefined;
}

/** Adds the observables of a live run, and keeps its state files where it has any. */
export async function liveRun(
  host: Host,
  live: Live,
  { facts, deltas }: Listener,
  { warnings = [], marked }: AboutRun,
): Promise<LiveRun> {
  const events = factsWhileLive(host.log, live);
  const activities = activitiesOf({ log: host.log, loops: host.definitions, events, tree: facts });
  const tracker = trackerOf(events, host.definitions);
  const settings = await readSettings(host.log, live.run);
  const done = settings ? endOf(host, { ...live, events, facts, deltas, settings, marked }) : live.done;
  // Callers that await `done` get the rejection; without one, it is not unhandled.
  done.catch(() => {});
  pauseForRemedy(host, live);
  const stop = new AbortController();
  const reported = host.reporting.follow({ run: live.run, done, settings, stop: stop.signal }, facts);
  const all = [...warnings, ...unsigned(settings, host.variables)];
  const stopReporting = () => stop.abort();
  return { ...live, done, events, activities, tracker, reported, stopReporting, deltas, warnings: all };
}

/** A warning for each variable that is missing here. A new run is refused without it; a resumed run works. */
function unsigned(settings: RunSettings | null, variables: Host['variables']): readonly string[] {
  const named = (settings?.webhooks ?? []).flatMap(({ secretVariable }) => secretVariable ?? []);
  return [...new Set(named)]
    .filter((variable) => !variables[variable])
    .map((variable) => `${variable} is not set, so this process delivers no report that is signed with it`);
}

/** What a tree records and streams from the time of a subscription on. */
export interface Listener {
  readonly watch: Watch;
  readonly facts: Observable<Envelope>;
  readonly deltas: Observable<RunDelta>;
}

/** A watch that keeps the observables of a tree that is about to begin, so that they can be subscribed to later. */
export function listening(host: Pick<AppHost, 'watch'>, watch: Watch | undefined): Listener {
  let tree: { readonly facts: Observable<Envelope>; readonly deltas: Observable<RunDelta> } | null = null;
  const listener: Watch = (facts, deltas, steps) => {
    tree = { facts, deltas };
    host.watch?.(facts, deltas, steps);
    watch?.(facts, deltas, steps);
  };
  return {
    watch: listener,
    facts: defer(() => tree?.facts ?? EMPTY),
    deltas: defer(() => tree?.deltas ?? EMPTY),
  };
}
