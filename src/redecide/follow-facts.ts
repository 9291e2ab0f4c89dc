import type { Recorded } from '../../machines/events.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import { fold, open, type RunState } from '../kernel/fold.ts';
import { assertFollows } from '../runtime/intact.ts';
import type { Names } from './other-judge.ts';
import { UnknownMachineError } from './unknown-machine-error.ts';

/** The state after the first fact of a run. Throws where its machine is unknown. */
export function opened(fact: Fact, names: Names, run = fact.run): RunState {
  if (fact.type !== 'run.started') throw new Error('no run was started');
  const first = open(fact, names.loops);
  if (first.kind === 'opened') return first.state;
  throw new UnknownMachineError(run, first);
}

/** The state after the next fact. Throws where a fact is missing between. */
export function followed(before: RunState, fact: Fact): RunState {
  assertFollows(fact.run, before.version, fact.version);
  return fold(before, fact as Recorded<Fact>);
}
