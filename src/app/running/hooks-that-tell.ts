import { filter, merge, type Observable } from 'rxjs';
import type { Hook, HookMoment } from '../../../machines/hooks.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { runHook } from '../../actors/run-hook.ts';
import type { Envelope } from '../../log/envelope.ts';
import { hookText } from '../../projections/phrases.ts';
import type { Live } from '../../runtime/own-tree.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import { askedOf } from '../people/question-places.ts';
import type { AppHost } from '../app-host.ts';

type Host = Pick<AppHost, 'log' | 'definitions' | 'warn' | 'supervisor'>;

/** What is recorded and said in a tree of runs. */
interface Heard {
  readonly facts: Observable<Pick<Envelope, 'type' | 'payload'>>;
  readonly deltas: Observable<unknown>;
}

/**
 * Runs the hooks on a question and on silence, and records each in its run. They change nothing of it. Resolves with
 * the end, once those that have begun are recorded.
 */
export function tellingHooks(
  host: Host,
  live: Pick<Live, 'run' | 'done' | 'waiting'>,
  settings: RunSettings,
  { facts, deltas }: Heard,
): Promise<RunEnd> {
  const over = new AbortController();
  const telling: Promise<unknown>[] = [];
  const tell: Tell = (hook, more) => {
    const happened = { hook: hook.on, run: live.run, ...more };
    const work = told(host, hook, happened, settings).catch(() => {});
    telling.push(work);
    return work;
  };
  const onQuestion = hooksOn(settings, 'question');
  if (onQuestion.length > 0) tellQuestions(host, live, onQuestion, tell, (work) => telling.push(work));
  for (const hook of hooksOn(settings, 'silence')) tellSilence(live, hook, tell, { facts, deltas, over });
  return live.done
    .finally(() => over.abort())
    .then(async (end) => {
      await Promise.all(telling);
      return end;
    });
}

type Tell = (hook: Hook, more: object) => Promise<void>;

const hooksOn = ({ hooks = [] }: RunSettings, on: HookMoment): readonly Hook[] =>
  hooks.filter((hook) => hook.on === on);

type Happened = { readonly run: string; readonly [name: string]: unknown };

async function told(host: Host, hook: Hook, happened: Happened, settings: RunSettings): Promise<void> {
  const { run } = happened;
  const { command } = hook;
  const on = hook.on === 'silence' ? 'silence' : 'question';
  const place = { directory: settings.directory, passes: settings.environment ?? [], run };
  const end = await runHook(hook, happened, { ...place, signal: new AbortController().signal });
  const message = hookText({ on, command, ...end });
  const payload = { code: 'hook_ran', message, hook: { on, command, ...end } } as const;
  const sent = await host.supervisor.send(run, { type: 'warning.raised', payload });
  // A run that has ended, or that has raised too many warnings in its round, records no more of them.
  if (sent.kind !== 'delivered' && !end.passed) host.warn(message);
}

/** Each question once in this process, however often the run waits for its answer. */
function tellQuestions(
  { log, definitions }: Host,
  { run, waiting }: Pick<Live, 'run' | 'waiting'>,
  hooks: readonly Hook[],
  tell: Tell,
  keep: (work: Promise<unknown>) => void,
): void {
  const known = new Set<string>();
  const newQuestions = async () => {
    for (const { event, callId: call, kind, text, choices, approval } of (await askedOf(log, run, definitions)) ?? []) {
      const key = `${event} ${call}`;
      if (known.has(key)) continue;
      known.add(key);
      const asked = { call, kind, text, choices, allows: approval?.allows ?? null };
      await Promise.all(hooks.map((hook) => tell(hook, asked)));
    }
  };
  waiting.subscribe({
    next: (isWaiting) => {
      if (isWaiting) keep(newQuestions().catch(() => {}));
    },
    error: () => {},
  });
}

/** Once in each silence: until something is recorded or said again, and not while the run waits for a person. */
function tellSilence(
  { waiting }: Pick<Live, 'waiting'>,
  hook: Hook,
  tell: Tell,
  { facts, deltas, over }: Heard & { readonly over: AbortController },
): void {
  const { afterMs = 0 } = hook;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  const begin = () => {
    stop();
    if (over.signal.aborted) return;
    timer = setTimeout(() => void tell(hook, { silentMs: afterMs }), afterMs);
    timer.unref();
  };
  begin();
  // The record of a hook is no sign of life.
  const signs = facts.pipe(
    filter(({ type, payload }) => type !== 'warning.raised' || !Object.hasOwn(Object(payload), 'hook')),
  );
  const listening = merge(signs, deltas).subscribe({ next: begin, error: stop });
  const resting = waiting.subscribe({ next: (isWaiting) => (isWaiting ? stop() : begin()), error: stop });
  over.signal.addEventListener('abort', () => {
    stop();
    listening.unsubscribe();
    resting.unsubscribe();
  });
}
