import type { Observable, Subscription } from 'rxjs';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { Live } from '../../runtime/own-tree.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import { leaveWorkspace } from './leave-workspace.ts';
import type { AppHost } from '../app-host.ts';
import { keepsState, StateFiles } from './state-files.ts';
import { tellingHooks } from './hooks-that-tell.ts';
import { AGENT_QUIET } from '../../../machines/agent-report.ts';

type Host = Pick<AppHost, 'log' | 'definitions' | 'warn' | 'services' | 'supervisor'>;

/** A run that works in this process, with all that it records and prints. */
interface Ending extends Pick<Live, 'run' | 'done' | 'waiting'> {
  readonly settings: RunSettings;
  readonly events: Observable<Envelope>;
  readonly facts: Observable<Envelope>;
  readonly deltas: Observable<unknown>;
  /** Resolves when its captures say that it works again. */
  readonly marked?: Promise<void> | undefined;
}

/** Resolves when a run has left this process, and all that its settings want at its end is done. */
export async function endOf(host: Host, live: Ending): Promise<RunEnd> {
  const { run, settings, marked } = live;
  const listening = tellQuiet(host, live);
  live.done.finally(() => listening.unsubscribe()).catch(() => {});
  const told = settings.hooks ? tellingHooks(host, live, settings, live) : live.done;
  const end = await (keepsState(settings) ? keepingState(host, { ...live, done: told }) : told);
  // Unless another process works on the workspace already, its captures say how the run has left it.
  await marked;
  await leaveWorkspace(host, { run, settings }, end);
  return end;
}

/** Resolves only when the state files have their final content. */
function keepingState(
  { definitions, warn }: Host,
  { run, done, events }: Pick<Ending, 'run' | 'done' | 'events'>,
): Promise<RunEnd> {
  const files = new StateFiles(run, definitions, warn);
  const seen = new Promise<void>((resolve) => {
    events.subscribe({ next: (envelope) => files.observe(envelope), complete: resolve, error: () => resolve() });
  });
  return done.finally(() => seen.then(() => files.close()));
}

/**
 * Tells the run at the top of a tree that an agent of others below it is silent, so that its activities and webhooks
 * say so long before the silence ends the attempt. A run that has no room for a warning is not told.
 */
function tellQuiet(
  { supervisor }: Pick<AppHost, 'supervisor'>,
  { run, facts }: Pick<Live, 'run'> & { readonly facts: Observable<Envelope> },
): Subscription {
  return facts.subscribe({
    next: (fact) => {
      const { code, message } = Object(fact.payload) as { readonly code?: unknown; readonly message?: unknown };
      if (fact.run === run || fact.type !== 'warning.raised' || code !== AGENT_QUIET) return;
      const payload = { code: AGENT_QUIET, message: String(message) };
      supervisor.send(run, { type: 'warning.raised', payload }).catch(() => {});
    },
    error: () => {},
  });
}
