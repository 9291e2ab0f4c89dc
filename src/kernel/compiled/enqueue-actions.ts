import { assignment } from './assignment.ts';
import { compileGuard } from './guard.ts';
import type { Implementations, paramsOf } from './implementations.ts';
import { starting, stopping } from './child-operations.ts';
import type { Operation, Work } from './work.ts';

type Collect = (given: object, params: unknown) => void;
type Compile = (written: unknown, implementations: Implementations) => Operation | null;

/** An `enqueueActions`: its function says for each event which actions follow. */
export function enqueued(
  written: unknown,
  params: ReturnType<typeof paramsOf>,
  implementations: Implementations,
  compile: Compile,
): Operation {
  const collect = written as Collect;
  const { self } = implementations;
  return (work) => {
    const queue: (Operation | null)[] = [];
    const { context, event } = work;
    const enqueue = queueing(queue, work, implementations, compile);
    const check = (guard: unknown) => orLeft(work, () => compileGuard(guard, implementations))(context, event);
    collect({ ...work.given(self), enqueue, check }, params?.(work));
    for (const operation of queue) operation?.(work);
  };
}

function queueing(queue: (Operation | null)[], work: Work, implementations: Implementations, compile: Compile) {
  const { self } = implementations;
  const { leave } = work;
  const push = (compiled: () => Operation | null) => void queue.push(orLeft(work, compiled));
  return Object.assign((action: unknown) => push(() => compile(action, implementations)), {
    assign: (update: unknown) => push(() => assignment(update, null, self)),
    stopChild: (child: unknown) => push(() => stopping(child, null, self)),
    spawnChild: (src: unknown, options: object = {}) => push(() => starting({ ...options, src }, implementations)),
    cancel: leave,
    emit: leave,
    raise: leave,
    sendParent: leave,
    sendTo: leave,
  });
}

/** What cannot be compiled shows only now: the step is left to XState. */
function orLeft<Result>({ leave }: Work, compiled: () => Result): Result {
  try {
    return compiled();
  } catch {
    return leave();
  }
}
