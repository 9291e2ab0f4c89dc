import type { AnyActor } from 'xstate';
import type { paramsOf } from './implementations.ts';
import type { Operation, Work } from './work.ts';

type Assigning = (given: object, params: unknown) => object | null | undefined;

/** An `assign`: one function for some members of the context, or a value or a function for each. */
export function assignment(written: unknown, params: ReturnType<typeof paramsOf>, self: AnyActor): Operation {
  const given = (work: Work) => {
    const { context, event, leave } = work;
    return { context, event, spawn: leave, self, system: self.system };
  };
  if (typeof written === 'function') {
    const assign = written as Assigning;
    return (work) => work.assign(assign(given(work), params?.(work)));
  }
  const members = Object.entries(written as object);
  return (work) => {
    const on = given(work);
    const parameters = params?.(work);
    const update: Record<string, unknown> = {};
    for (const [member, value] of members) update[member] = typeof value === 'function' ? value(on, parameters) : value;
    work.assign(update);
  };
}
