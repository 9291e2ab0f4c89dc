import { initialTransition } from 'xstate';
import type { CatalogueEntry } from '../../machines/index.ts';
import { Ending } from '../../machines/outcome.ts';
import { choicesOf, functionsIn, invokesOf, isNotObvious, leads, membersIn, namesIn } from './written-chart.ts';

type Machine = CatalogueEntry['machine'];
type StateNode = Machine['root'];
type Rule = (machine: Machine) => readonly string[];

const NINE = ['stream', 'tools', 'verify', 'decide', ...Ending.options];

const rules: Readonly<Record<string, Rule>> = {
  'nine-states': ({ root }) => difference(Object.keys(root.states), NINE),

  'five-endings': (machine) =>
    difference(
      nodesOf(machine).filter(({ type }) => type === 'final').map(({ path }) => path.join('.')),
      Ending.options,
    ),

  'begins-in-decide': ({ config }) => (config.initial === 'decide' ? [] : [String(config.initial)]),

  'only-decide-ends': (machine) =>
    nodesOf(machine)
      .filter(({ path }) => path[0] !== 'decide')
      .flatMap((node) => finalsAfter(node).map((end) => `${node.id} to ${end.key}`)),

  'names-are-provided': (machine) =>
    Object.entries(namesIn(machine.config)).flatMap(([kind, names]) =>
      [...names].filter((name) => !provided(machine, kind).includes(name)).map((name) => `${kind}.${name}`),
    ),

  /** Actors are not looked for here: an action may start one by a name that an event brings. */
  'what-is-provided-is-used': (machine) => {
    const { actions, guards } = namesIn(machine.config);
    return Object.entries({ actions, guards }).flatMap(([kind, names]) =>
      provided(machine, kind).filter((name) => !names.has(name)).map((name) => `${kind}.${name}`),
    );
  },

  'one-inert-actor': ({ implementations }) => {
    const distinct = new Set(Object.values(implementations.actors));
    return distinct.size <= 1 ? [] : [`${distinct.size} different ones`];
  },

  'nothing-but-names': ({ config: { context: _context, ...rest } }) => functionsIn(rest),

  'invokes-have-ids': ({ config }) =>
    invokesOf(config).filter(({ id }) => typeof id !== 'string').map(({ src }) => String(src)),

  'no-system-id': ({ config }) => membersIn(config).filter((path) => path.endsWith('systemId')),

  'nothing-waits-by-itself': ({ config }) => membersIn(config).filter((path) => /(^|[.])(after|delay)$/.test(path)),

  'states-are-described': (machine) => nodesOf(machine).filter(({ description }) => !description).map(({ id }) => id),

  /** Several ways to go, a way back into the same state, or a closed one: none of them explains itself. */
  'choices-are-described': ({ config }) =>
    choicesOf(config).filter((choice) => isNotObvious(choice) && !choice.description).map(({ place }) => place),

  /** What XState takes without doing anything would be recorded, and mean nothing. */
  'what-is-taken-does-something': ({ config }) =>
    choicesOf(config).filter((choice) => choice.guard !== undefined && !leads(choice)).map(({ place }) => place),

  'a-context-without-input': (machine) => {
    const [{ status, error }] = initialTransition(machine);
    return status === 'error' ? [String(error)] : [];
  },
};

export const ruleNames: readonly string[] = Object.keys(rules);

/** What a machine does against the rules that every loop keeps: `rule: detail`. */
export const offencesOf = (machine: Machine): string[] =>
  Object.entries(rules).flatMap(([rule, check]) => check(machine).map((detail) => `${rule}: ${detail}`));

function nodesOf({ root }: Machine): StateNode[] {
  const within = (node: StateNode): StateNode[] => [node, ...Object.values(node.states).flatMap(within)];
  return within(root);
}

function finalsAfter(node: StateNode): readonly StateNode[] {
  const written = [...node.transitions.values()].flat();
  const targets = [...written, ...(node.always ?? [])].flatMap(({ target }) => target ?? []);
  return targets.filter(({ type }) => type === 'final');
}

const provided = ({ implementations }: Machine, kind: string): string[] =>
  Object.keys(implementations[kind as keyof typeof implementations] ?? {});

const difference = (found: readonly string[], wanted: readonly string[]): string[] => [
  ...found.filter((name) => !wanted.includes(name)).map((name) => `${name} too many`),
  ...wanted.filter((name) => !found.includes(name)).map((name) => `${name} missing`),
];
