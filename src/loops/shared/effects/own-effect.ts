import { lifeOf } from '../../../kernel/fold.ts';
import { specOf } from '../../../kernel/loop-definition.ts';
import type { EffectHandler } from '../../../kernel/effect-spec.ts';
import { askModel } from './ask-model.ts';
import type { EffectWork, EffectRequest } from '../effect.ts';
import type { EffectServices } from '../../../ports/services.ts';
import type { AnyEvent, LoopEvent } from '../../../../machines/events.ts';
import { answererOf } from '../../../../machines/index.ts';
import { WrongAnswer } from '../../../runtime/handler-fault.ts';

/**
 * What a handler that comes with a loop answers with. The dispatcher parses each event by the vocabulary of the loop
 * before it is recorded.
 */
function handlerAnswers(
  answer: ReturnType<EffectHandler>,
  { effect, memory }: EffectRequest,
  signal: AbortSignal,
): AsyncIterable<LoopEvent> {
  const isResult = (event: AnyEvent) => answererOf(memory.loop, event as LoopEvent) === effect.key;
  return isIterable(answer) ? lastAsResult(answer, isResult, signal) : alone(answer);
}

async function* alone(answer: Promise<AnyEvent>): AsyncIterable<LoopEvent> {
  yield (await answer) as LoopEvent;
}

/**
 * The events of a handler. Its result is passed on once the handler is done, or told to stop: with a second answer, or
 * an error after the first, nothing of it is recorded.
 */
async function* lastAsResult(
  answers: AsyncIterable<AnyEvent>,
  isResult: (event: AnyEvent) => boolean,
  signal: AbortSignal,
): AsyncIterable<LoopEvent> {
  const iterator = answers[Symbol.asyncIterator]();
  const stopped = new Promise<'stopped'>((resolve) => onAbort(signal, () => resolve('stopped')));
  try {
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      if (typeof Object(next.value).type === 'string' && isResult(next.value)) {
        const after = await Promise.race([iterator.next(), stopped]);
        if (after !== 'stopped' && !after.done) throw new WrongAnswer(twice(next.value, after.value));
        yield next.value as LoopEvent;
        return;
      }
      yield next.value as LoopEvent;
    }
  } finally {
    // One that hangs, or fails while it is closed, changes nothing any more.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

const twice = ({ type }: AnyEvent, next: unknown): string =>
  `${String(Object(next).type)} follows ${type}, which was its result already`;

function onAbort(signal: AbortSignal, heard: () => void): void {
  if (signal.aborted) heard();
  else signal.addEventListener('abort', heard, { once: true });
}

const isIterable = (answer: ReturnType<EffectHandler>): answer is AsyncIterable<AnyEvent> =>
  Symbol.asyncIterator in Object(answer);

/** An effect of a loop's own, carried out by the handler that came with the loop. */
export const ownEffect = (handler: EffectHandler, models: Pick<EffectServices, 'ask'>): EffectWork => ({
  execute: (request) => {
    const {
      effect,
      context: { run, settings, state },
      memory,
    } = request;
    const input = { run, settings, input: effect.input, context: lifeOf(state), answer: memory.answer() };
    return {
      kind: 'actor',
      // A handler cannot be asked whether something has happened, so every other class counts as `once`.
      effectClass: specOf(effect, memory.loop).class === 'repeatable' ? 'repeatable' : 'once',
      execute: (call) =>
        handlerAnswers(
          handler({ ...input, ask: (question) => askModel(question, request, models, call) }, call),
          request,
          call.signal,
        ),
    };
  },
});
