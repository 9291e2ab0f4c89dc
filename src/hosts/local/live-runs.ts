import { Observable } from 'rxjs';
import type { Envelope } from '../../log/envelope.ts';
import type { RunDelta } from '../../runtime/run-tree.ts';
import type { Live, Watch } from '../../runtime/own-tree.ts';
import type { LocalHost } from './local-host.ts';
import { factsWhileLive } from './run-facts.ts';
import { keepsState, StateFiles } from './state-files.ts';

/** A run under way in this process. */
export interface LiveRun extends Live {
  /**
   * The run's facts from its first on, each once it is durable. Completes when the run has ended, or left this process.
   */
  readonly events: Observable<Envelope>;
  /** Output of the run and its children while their effects run. It is not recorded. */
  readonly deltas: Observable<RunDelta>;
  /** Warnings about the settings, which are valid all the same. */
  readonly warnings: readonly string[];
}

/** A result of the runtime whose live run has its events and deltas. */
export type WithLiveRun<Result> = Exclude<Result, { kind: 'live' }> | { readonly kind: 'live'; readonly live: LiveRun };

type Host = Pick<LocalHost, 'log' | 'definitions' | 'warn'>;

/** Adds the observables of a live run, and keeps its state files where it has any. */
export async function liveRun(
  host: Host,
  live: Live,
  deltas: Observable<RunDelta>,
  warnings: readonly string[] = [],
): Promise<LiveRun> {
  const events = factsWhileLive(host.log, live);
  const done = (await keepsState(host.log, live.run)) ? keepingState(host, { ...live, events }) : live.done;
  return { ...live, done, events, deltas, warnings };
}

/** Resolves only when the state files have their final content. */
function keepingState(
  { definitions, warn }: Host,
  { run, done, events }: Pick<LiveRun, 'run' | 'done' | 'events'>,
): LiveRun['done'] {
  const files = new StateFiles(run, definitions, warn);
  const seen = new Promise<void>((resolve) => {
    events.subscribe({ next: (envelope) => files.observe(envelope), complete: resolve, error: () => resolve() });
  });
  const kept = done.finally(() => seen.then(() => files.close()));
  // Callers that await `done` get the rejection; without one, it is not unhandled.
  kept.catch(() => {});
  return kept;
}

/** A watch that keeps the deltas of a tree that is about to begin, so that they can be subscribed to later. */
export function listening(watch: Watch | undefined): { watch: Watch; deltas: Observable<RunDelta> } {
  let tree: Observable<RunDelta> | null = null;
  const listener: Watch = (facts, deltas) => {
    tree = deltas;
    watch?.(facts, deltas);
  };
  return { watch: listener, deltas: new Observable<RunDelta>((subscriber) => tree?.subscribe(subscriber)) };
}
