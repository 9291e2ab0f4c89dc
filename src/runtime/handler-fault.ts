import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { z } from 'zod';
import { vocabularyOf } from '../../machines/vocabulary.ts';
import { EnvironmentFault, environmentFault, placeFault } from '../log/environment-fault.ts';
import type { EffectSpec } from '../kernel/effect-spec.ts';
import type { Outstanding, RunState } from '../kernel/fold.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';

/** An effect answered with something else than it has to. The message continues the name of its handler. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/**
 * What an error of an effect says of the environment. Null: of the effect itself. Which files a handler of a loop's own
 * uses is its author's affair: a file that it may not write is its error.
 */
export function faultOfHandler(error: unknown, { actor }: Outstanding, loop: LoopDefinition): EnvironmentFault | null {
  const fault = environmentFault(error);
  if (fault !== null || Object.hasOwn(loop.handlers ?? {}, actor)) return fault;
  return placeFault(error) ?? gitFault(error);
}

/** Git failed at what it does in every run. Null: another error, or an object that is not what its name says. */
function gitFault(error: unknown): EnvironmentFault | null {
  if (!(error instanceof Error) || error.name !== 'GitError' || UNTRUE.test(error.message)) return null;
  return new EnvironmentFault(`${error.message}. See to it, then resume.`, error, { hasStarted: true });
}

/** Content that is proven wrong is damage, and no fault of the system. */
const UNTRUE = /is not what its name says/;

/**
 * Why an effect could not be performed, as one sentence for the log. Of a handler that comes with a loop it names the
 * loop, the effect and, where it threw, the file and line: its author has to find it.
 */
export function handlerFault(error: unknown, { actor }: Outstanding, loop: LoopDefinition): string {
  const { id, handlers = {}, module } = loop;
  const detail = error instanceof Error ? error.message : String(error);
  if (!Object.hasOwn(handlers, actor)) return `${actor} broke its promise: ${detail}`;
  if (error instanceof WrongAnswer) return `${id}: its handler of ${actor} answered wrongly: ${detail}`;
  const thrown = error instanceof Error && error.name !== 'Error' ? `${error.name}: ${detail}` : detail;
  const place = placeIn(error) ?? module?.path ?? null;
  return `${id}: its handler of ${actor} threw${place === null ? '' : ` at ${place}`}: ${thrown}`;
}

/** `FILE:LINE` of the first frame outside Node and installed packages. Null where the stack names none. */
function placeIn(error: unknown): string | null {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  for (const frame of frames) {
    const [, file, line] = /^\s+at .*?((?:file:\/\/)?\/[^()]+?):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (file === undefined || file.includes('/node_modules/')) continue;
    return `${file.startsWith('file:') ? fileURLToPath(file) : file}:${line}`;
  }
  return null;
}

/** Which member of an answer is wrong; for an unknown event, the events that the effect may answer with. */
export function noEvent(
  event: unknown,
  error: z.ZodError,
  { id, events }: RunState['entry'],
  answers: EffectSpec['answers'] = {},
): string {
  const { type } = Object(event) as { readonly type?: unknown };
  if (typeof type !== 'string') return `${inspect(event, { depth: 0 })} is no event`;
  const own = Object.keys(answers);
  const isKnown = own.length === 0 || vocabularyOf(events).has(type);
  return `${type} is no event of ${id}: ${isKnown ? z.prettifyError(error) : `its answers are ${own.join(', ')}`}`;
}
