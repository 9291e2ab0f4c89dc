import {
  type AnyStateMachine,
  assign,
  createMachine,
  enqueueActions,
  fromCallback,
  spawnChild,
  stopChild,
} from 'xstate';
import { fc } from '../../support/fast-check.ts';

/** The events of charts drawn at random; `none` is one that no state takes. */
export const EVENTS = ['a', 'b', 'c.d', 'none'] as const;

interface Move {
  readonly event: (typeof EVENTS)[number] | 'always';
  readonly guard: string | null;
  readonly to: number | null;
  readonly reenter: boolean;
  readonly actions: readonly string[];
}

interface Drawn {
  readonly parts: readonly Drawn[];
  readonly moves: readonly Move[];
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  readonly first: readonly string[];
  readonly invokes: number;
  readonly isFinal: boolean;
}

interface Counted {
  readonly n: number;
  readonly seen: readonly string[];
  readonly last?: unknown;
}

const external = fromCallback(() => {});
const note = (what: string) =>
  assign(({ context, event }: { context: Counted; event: { type: string } }) => ({
    n: context.n + 1,
    seen: [...context.seen, `${what} ${event.type}`].slice(-40),
  }));

/** Everything that is compiled, and some that throws. */
const actions = {
  note: note('note'),
  told: assign((on: { context: Counted }, params: { n: number }) => ({ n: on.context.n + params.n })),
  members: assign({ n: ({ context }: { context: Counted }) => context.n + 2, last: () => 'a value', seen: [] }),
  nothing: assign(() => ({})),
  plain: () => {
    throw new Error('no action of its own is executed');
  },
  start: spawnChild('named', { id: 'one', input: ({ context }: { context: Counted }) => ({ n: `${context.n}` }) }),
  start2: spawnChild('other', { id: 'two', syncSnapshot: true }),
  stop: stopChild('one'),
  stopByName: stopChild(({ context }: { context: Counted }) => (context.n % 2 === 0 ? 'two' : 'no such')),
  several: enqueueActions(({ context, enqueue, check }) =>
    severalIn(context as never, enqueue as never, check as never),
  ),
  broken: assign(({ context }: { context: Counted }) => {
    if (context.n % 5 === 0) throw new Error(`broken at ${context.n}`);
    return { n: context.n + 1 };
  }),
  raising: enqueueActions(({ context, enqueue }: { context: Counted; enqueue: { raise(event: object): void } }) => {
    if (context.n % 7 === 0) enqueue.raise({ type: 'b' });
  }),
  spawning: assign((on: { context: Counted; spawn(actor: string, options: object): unknown }) => {
    if (on.context.n % 6 === 0) on.spawn('named', { id: 'spawned' });
    return { n: on.context.n + 1 };
  }),
};

function severalIn(context: Counted, enqueue: Enqueue, check: (guard: string) => boolean): void {
  enqueue('note');
  enqueue({ type: 'told', params: { n: context.n % 3 } });
  if (check('even')) enqueue.spawnChild('named', { id: `call.${context.n}`, input: { n: '1' } });
  enqueue.assign({ last: context.n });
  for (const id of [`call.${context.n - 2}`, 'one']) enqueue.stopChild(id);
  enqueue(note('queued'));
  enqueue(() => {});
}

interface Enqueue {
  (action: unknown): void;
  assign(update: object): void;
  spawnChild(actor: string, options: object): void;
  stopChild(id: string): void;
}

const guards = {
  even: ({ context }: { context: Counted }) => context.n % 2 === 0,
  below: ({ context }: { context: Counted }, { most }: { most: number }) => context.n < most,
  never: () => false,
  fussy: ({ context }: { context: Counted }) => {
    if (context.n % 11 === 0) throw new Error(`fussy at ${context.n}`);
    return context.n % 3 === 0;
  },
};

const action = fc.constantFrom(...Object.keys(actions));
const someActions = fc.array(action, { maxLength: 3, size: 'max' });
const move: fc.Arbitrary<Move> = fc.record({
  event: fc.constantFrom('a', 'b', 'c.d', 'always'),
  guard: fc.option(fc.constantFrom('even', 'below', 'never', 'fussy')),
  to: fc.option(fc.nat(40)),
  reenter: fc.boolean(),
  actions: someActions,
});

const charts = fc.letrec<{ state: Drawn }>((tie) => ({
  state: fc.record({
    parts: fc.oneof(
      { maxDepth: 3 },
      fc.constant([]),
      fc.array(tie('state'), { minLength: 1, maxLength: 4, size: 'max' }),
    ),
    moves: fc.array(move, { maxLength: 5, size: 'max' }),
    entry: someActions,
    exit: someActions,
    first: someActions,
    invokes: fc.nat(2),
    isFinal: fc.boolean(),
  }),
}));

/** Charts that can be compiled, of every shape: nested, with transitions in and across, endings, and children. */
export const anyChart: fc.Arbitrary<AnyStateMachine> = fc
  .array(charts.state, { minLength: 2, maxLength: 5, size: 'max' })
  .map((parts) => {
    const count = parts.reduce((sum, part) => sum + sizeOf(part), 0);
    const names = Array.from({ length: count }, (_, index) => `s${index}`);
    const states = Object.fromEntries(parts.map((part, index) => [`k${index}`, configOf(part, names, count, 0)]));
    const config = { id: 'root', initial: 'k0', context: { n: 1, seen: [] }, entry: 'note', exit: 'note', states };
    return createMachine(config as never, { actions, guards, actors: { named: external, other: external } } as never);
  });

const sizeOf = ({ parts }: Drawn): number => parts.reduce((sum, part) => sum + sizeOf(part), 1);

function configOf(drawn: Drawn, names: string[], count: number, depth: number): object {
  const { parts, moves, entry, exit, first, invokes, isFinal } = drawn;
  const id = names.shift();
  const inner = parts.map((part) => configOf(part, names, count, depth + 1));
  const about = { id, entry: entry.map(written), exit: exit.map(written), tags: [`tag-${id}`, 'shared'], meta: { id } };
  if (inner.length === 0 && isFinal && depth === 0 && id !== 's0') return { ...about, type: 'final' };
  const on = Map.groupBy(moves, ({ event }) => event);
  const transitions = [...on].map(([event, drawn]) => [event, drawn.map((one) => transitionOf(one, count))] as const);
  const states = Object.fromEntries(inner.map((state, index) => [`k${index}`, state]));
  return {
    ...about,
    ...(inner.length > 0 ? { initial: { target: 'k0', actions: first.map(written) }, states } : {}),
    invoke: Array.from({ length: invokes }, (_, index) => ({ id: `${id}.${index}`, src: 'named', input: { of: id } })),
    always: transitions.flatMap(([event, all]) => (event === 'always' ? all.filter(({ guard }) => guard) : [])),
    on: Object.fromEntries(transitions.filter(([event]) => event !== 'always')),
  };
}

const written = (name: string) =>
  name === 'told' ? { type: 'told', params: ({ context }: never) => paramsIn(context) } : name;
const paramsIn = ({ n }: Counted) => ({ n: (n % 4) + 1 });

function transitionOf({ guard, to, reenter, actions: own }: Move, count: number) {
  const condition = guard === 'below' ? { type: 'below', params: { most: 30 } } : guard;
  return {
    ...(condition === null ? {} : { guard: condition }),
    ...(to === null ? {} : { target: `#s${to % count}`, reenter }),
    actions: own.map(written),
  };
}
