import { createMachine } from 'xstate';
import type { CatalogueEntry } from '../../machines/index.ts';
import {
  enteredBy,
  nodesOf,
  pathOf,
  type StateNode,
  type Transition,
  transitionsOf,
} from '../../src/charts/transitions.ts';
import { candidatesIn, listOf, type Sheet, sheetOf, stateIn, timesGuarding, type Written } from './edit.ts';

type Machine = CatalogueEntry['machine'];

/** Guards that are negated and targets that are changed. */
export const MAIN = ['guard negated', 'target changed'] as const;
/** Smaller edits, looked at apart from those. */
export const MORE = [
  'guard dropped',
  'action dropped',
  'entry or exit dropped',
  'invoke dropped',
  'transition dropped',
  'reenter dropped',
  'candidates swapped',
] as const;
export type Kind = (typeof MAIN)[number] | (typeof MORE)[number];

/** What one edit makes of a loop. */
export interface Mutant<Entry extends CatalogueEntry = CatalogueEntry> {
  /** What was edited, and how: `turn@1: stream.asking model.completed 0: to verify`. */
  readonly id: string;
  readonly kind: Kind;
  /** Made when it is asked for: there are many, and few are looked at. */
  readonly made: () => Entry;
}

/** An `always` that leads round and round is cut after so many steps: the event that set it off throws. */
const MAX_MICROSTEPS = 100;

/** Every mutant of a loop, one edit each, in the order of its chart. */
export function mutantsOf<Entry extends CatalogueEntry>(loop: Entry): Mutant<Entry>[] {
  const { machine } = loop;
  const edits = [
    ...transitionsOf(machine).flatMap((one) => ofTransition(machine, one)),
    ...nodesOf(machine.root).flatMap(ofState),
  ];
  return edits.map(({ what, kind, apply }) => ({
    id: `${loop.id}: ${what}`,
    kind,
    made: () => ({ ...loop, machine: rebuilt(machine, apply) }),
  }));
}

interface Edit {
  readonly what: string;
  readonly kind: Kind;
  readonly apply: (sheet: Sheet) => void;
}

function rebuilt(machine: Machine, apply: Edit['apply']): Machine {
  const sheet = sheetOf(machine);
  apply(sheet);
  const chart = { ...sheet.chart, options: { maxIterations: MAX_MICROSTEPS } };
  return createMachine(
    chart as never,
    { ...machine.implementations, guards: sheet.guards } as never,
  ) as unknown as Machine;
}

function ofTransition(machine: Machine, transition: Transition): Edit[] {
  const { id, guard, index, to, from, event, actions } = transition;
  const siblings = (event === null ? from.always : from.transitions.get(event)) ?? [];
  const edit = (
    kind: Kind,
    how: string,
    apply: (candidate: Written, among: Written[], sheet: Sheet) => void,
  ): Edit => ({
    what: `${id}: ${how}`,
    kind,
    apply: (sheet) => {
      const among = candidatesIn(sheet.chart, from.path, event);
      const candidate = among[index];
      if (!candidate) throw new Error(`${id} is not in the chart`);
      apply(candidate, among, sheet);
    },
  });
  const edits = others(machine, to).map((node) =>
    edit('target changed', `to ${pathOf(node)}`, (candidate) => Object.assign(candidate, { target: `#${node.id}` })),
  );
  if (guard !== null) {
    edits.push(edit('guard negated', `not ${guard}`, (candidate, _among, sheet) => negate(candidate, guard, sheet)));
    edits.push(edit('guard dropped', 'without its guard', (candidate) => void delete candidate['guard']));
  }
  for (const [at, action] of actions.entries()) {
    edits.push(
      edit('action dropped', `without ${action}`, (candidate) =>
        Object.assign(candidate, { actions: listOf(candidate['actions']).toSpliced(at, 1) }),
      ),
    );
  }
  if (siblings[index]?.reenter && to.includes(from)) {
    edits.push(edit('reenter dropped', 'without reenter', (candidate) => void delete candidate['reenter']));
  }
  if (index + 1 < siblings.length) {
    edits.push(
      edit(
        'candidates swapped',
        'after the next',
        (_candidate, among) => void among.splice(index, 2, ...among.slice(index, index + 2).toReversed()),
      ),
    );
  }
  return [...edits, edit('transition dropped', 'dropped', (_candidate, among) => void among.splice(index, 1))];
}

function ofState({ path, invoke, entry, exit }: StateNode): Edit[] {
  const place = path.join('.') || 'anywhere';
  const without = (kind: Kind, member: 'invoke' | 'entry' | 'exit', count: number): Edit[] =>
    Array.from({ length: count }, (_none, at) => ({
      what: `${place}: without ${member} ${at}`,
      kind,
      apply: ({ chart }) => {
        const state = stateIn(chart, path);
        state[member] = listOf(state[member]).toSpliced(at, 1);
      },
    }));
  return [
    ...without('invoke dropped', 'invoke', invoke.length),
    ...without('entry or exit dropped', 'entry', entry.length),
    ...without('entry or exit dropped', 'exit', exit.length),
  ];
}

/** Under a name of its own where others still ask what it asked. */
function negate(candidate: Written, guard: string, { chart, guards }: Sheet): void {
  const holds = guards[guard] as (asked: unknown, params: unknown) => boolean;
  const name = timesGuarding(chart, guard) === 1 ? guard : `not ${guard}`;
  Object.assign(candidate, { guard: name });
  Object.assign(guards, { [name]: (asked: unknown, params: unknown) => !holds(asked, params) });
}

/** Where else an arrow could lead: to any state of the top, or next to where it leads now. */
function others({ root }: Machine, [target]: readonly StateNode[]): StateNode[] {
  if (!target) return [];
  const near = [...Object.values(root.states), ...Object.values(target.parent?.states ?? {})];
  const leaves = new Map(
    near.filter((node) => innermost(node) !== innermost(target)).map((node) => [innermost(node), node]),
  );
  return [...leaves.values()];
}

const innermost = (node: StateNode): string => enteredBy(node).map(pathOf).join();
