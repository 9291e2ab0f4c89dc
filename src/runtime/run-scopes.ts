import type { EventOf } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Json } from '../log/envelope.ts';
import { PROGRAM } from '../log/program-version.ts';
import { open, type RunState } from '../kernel/fold.ts';
import { definitionOf } from '../kernel/loop-definition.ts';
import { loopNamed } from '../kernel/loop-named.ts';
import { record, type RunScope } from '../kernel/react.ts';
import type { LoadedRun } from './load-run.ts';
import type { TreeParts } from './tree-lease.ts';

type Parts = Pick<TreeParts, 'loops' | 'redactFor' | 'makeHandlers' | 'now'>;

/** A run that is about to begin: nothing of it is recorded yet. */
interface NewRun {
  readonly scope: RunScope;
  readonly state: RunState;
  readonly started: EventOf<'run.started'>;
}

/** The scope and the first state of a new run. Secrets leave its settings before anything reads them. */
export function newRun(run: string, asked: RunSettings, { loops, redactFor, makeHandlers, now }: Parts): NewRun {
  const redact = redactFor(asked);
  const settings = redact(asked as Json) as RunSettings;
  const loop = loopNamed(settings.loop, loops);
  const started: EventOf<'run.started'> = {
    type: 'run.started',
    payload: { machine: loop.id, settings, ...(loop.module ? { module: loop.module } : {}), program: PROGRAM },
  };
  const opened = open(record(started, 1, new Date(now()).toISOString()), [loop]);
  if (opened.kind !== 'opened') throw new Error(`${loop.id} does not open its own run`);
  const scope = { run, settings, loop, redact, handlers: makeHandlers(run, settings, loop) };
  return { scope, state: opened.state, started };
}

/** The scope of a run that was loaded from the log. */
export function scopeOf(
  run: string,
  { settings, handlers, state }: LoadedRun,
  { loops, redactFor }: Pick<Parts, 'loops' | 'redactFor'>,
): RunScope {
  return { run, settings, loop: definitionOf(state.entry.id, loops), handlers, redact: redactFor(settings) };
}
