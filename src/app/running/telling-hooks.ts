import { merge, type Observable } from 'rxjs';
import type { Hook, HookMoment } from '../../../machines/hooks.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { runHook } from '../../actors/run-hook.ts';
import type { Live } from '../../runtime/own-tree.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import { oneLine } from '../../text/one-line.ts';
import { askedOf } from '../people/asked-places.ts';
import type { AppHost } from '../app-host.ts';

type Host = Pick<AppHost, 'log' | 'definitions' | 'warn'>;

/** What is recorded and said in a tree of runs. */
interface Heard {
  readonly facts: Observable<unknown>;
  readonly deltas: Observable<unknown>;
}

const MAX_SAID_CHARS = 500;

/**
 * Runs the hooks that only tell: on a question, on silence, and at the end. They change nothing of the run, so they are
 * not recorded in it; one that fails is a warning. Resolves with the end, once the hooks at the end have run.
 */
export function tellingHooks(
  host: Host,
  live: Pick<Live, 'run' | 'done' | 'waiting'>,
  settings: RunSettings,
  { facts, deltas }: Heard,
): Promise<RunEnd> {
  const over = new AbortController();
  const telling: Promise<unknown>[] = [];
  const tell = async (on: HookMoment, more: object): Promise<void> => {
    const happened = { hook: on, run: live.run, ...more };
    await Promise.all(hooksOn(settings, on).map((hook) => told(host, hook, happened, settings)));
  };
  if (hooksOn(settings, 'question').length > 0) tellQuestions(host, live, tell, (work) => telling.push(work));
  for (const hook of hooksOn(settings, 'silence')) tellSilence(host, live, hook, settings, { facts, deltas, over });
  return live.done
    .finally(() => over.abort())
    .then(async (end) => {
      if (end.kind === 'ended') await tell('end', { outcome: end.outcome, answer: end.answer });
      await Promise.all(telling);
      return end;
    });
}

const hooksOn = ({ hooks = [] }: RunSettings, on: HookMoment): readonly Hook[] =>
  hooks.filter((hook) => hook.on === on);

type Happened = { readonly run: string; readonly [name: string]: unknown };

async function told(host: Host, hook: Hook, happened: Happened, settings: RunSettings): Promise<void> {
  const place = { directory: settings.directory, passes: settings.environment ?? [], run: happened.run };
  const { passed, said } = await runHook(hook, happened, { ...place, signal: new AbortController().signal });
  if (!passed)
    host.warn(
      `the hook ${oneLine(hook.command, MAX_SAID_CHARS)} on ${hook.on} failed: ${oneLine(said, MAX_SAID_CHARS)}`,
    );
}

/** Each question once in this process, however often the run waits for its answer. */
function tellQuestions(
  { log, definitions }: Host,
  { run, waiting }: Pick<Live, 'run' | 'waiting'>,
  tell: (on: HookMoment, more: object) => Promise<void>,
  keep: (work: Promise<unknown>) => void,
): void {
  const known = new Set<string>();
  const newQuestions = async () => {
    for (const { event, callId: call, kind, text, choices, approval } of (await askedOf(log, run, definitions)) ?? []) {
      const key = `${event} ${call}`;
      if (known.has(key)) continue;
      known.add(key);
      await tell('question', { call, kind, text, choices, allows: approval?.allows ?? null });
    }
  };
  waiting.subscribe({
    next: (isWaiting) => {
      if (!isWaiting) return;
      keep(newQuestions().catch(() => {}));
    },
    error: () => {},
  });
}

/** Once in each silence: until something is recorded or said again, and not while the run waits for a person. */
function tellSilence(
  host: Host,
  { run, waiting }: Pick<Live, 'run' | 'waiting'>,
  hook: Hook,
  settings: RunSettings,
  { facts, deltas, over }: Heard & { readonly over: AbortController },
): void {
  const { afterMs = 0 } = hook;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  const begin = () => {
    stop();
    if (over.signal.aborted) return;
    timer = setTimeout(() => void told(host, hook, { hook: 'silence', run, silentMs: afterMs }, settings), afterMs);
    timer.unref();
  };
  begin();
  const listening = merge(facts, deltas).subscribe({ next: begin, error: stop });
  const resting = waiting.subscribe({ next: (isWaiting) => (isWaiting ? stop() : begin()), error: stop });
  over.signal.addEventListener('abort', () => {
    stop();
    listening.unsubscribe();
    resting.unsubscribe();
  });
}
