import { type AnyStateMachine, createMachine } from 'xstate';
import { fc } from '../../support/fast-check.ts';

/** A state before it has a name: its parts, and what leads where. Targets are numbers that any state answers to. */
interface Plan {
  readonly parts: readonly Plan[];
  readonly moves: readonly { readonly event: string; readonly guard: string | null; readonly to: number | null }[];
  readonly isFinal: boolean;
}

const letter = fc.constantFrom('a', 'Z', '.', '<', '&', '"', '\u0007', '\n', 'é', '循', '🙂');
const text = fc.string({ maxLength: 12, unit: letter });
const move = fc.record({
  event: fc.constantFrom('', 'go', 'stop.it'),
  guard: fc.option(text),
  to: fc.option(fc.nat(40)),
});

const plans = fc.letrec<{ state: Plan }>((tie) => ({
  state: fc.record({
    parts: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('state'), { maxLength: 4 })),
    moves: fc.array(move, { maxLength: 4 }),
    isFinal: fc.boolean(),
  }),
}));

/** Machines of every shape: nested, with loops and arrows across, endings in the middle, and odd names for guards. */
export const anyMachine: fc.Arbitrary<AnyStateMachine> = plans.state.map((plan) => {
  const count = sizeOf(plan);
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  return createMachine(configOf(plan, names, count));
});

const sizeOf = ({ parts }: Plan): number => parts.reduce((sum, part) => sum + sizeOf(part), 1);

function configOf({ parts, moves, isFinal }: Plan, names: string[], count: number): object {
  const id = names.shift();
  const inner = parts.map((part) => configOf(part, names, count));
  const states = Object.fromEntries(inner.map((state, index) => [`k${index}`, state]));
  if (inner.length === 0 && isFinal && id !== 's0') return { id, type: 'final' };
  const written = moves.map(({ event, guard, to }) => ({
    event,
    ...(guard === null ? {} : { guard }),
    ...(to === null ? { actions: 'note' } : { target: `#s${to % count}`, reenter: true }),
  }));
  const on = Map.groupBy(written, ({ event }) => event);
  return {
    id,
    ...(inner.length > 0 ? { initial: 'k0', states } : {}),
    always: on.get('') ?? [],
    on: Object.fromEntries([...on].filter(([event]) => event !== '')),
  };
}
