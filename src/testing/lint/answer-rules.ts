import type { LoopEvent } from '../../../machines/events.ts';
import { answererOf, type CatalogueEntry } from '../../../machines/index.ts';
import { nodesOf, type StateNode } from '../../charts/transitions.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { takes } from './event-rules.ts';
import { lostEvent } from './spec-rules.ts';
import type { Rule } from './rule.ts';
import { typesIn } from './event-types.ts';
import { placeOfState, within } from './chart-in-source.ts';

/** Every effect that a chart invokes can complete: it has a result, and the chart takes that result. */
export const answerRules: readonly Rule[] = [
  {
    name: 'effects-have-answers',
    remedy:
      'Name in its `answers` each event of `events` that is a result of it, with the id that the chart invokes it under.',
    offences: (loop) =>
      typesIn(loop.events) === null
        ? []
        : invokedIn(loop)
            .filter(({ name, key }) => needsAnswer(loop, name) && answersOf(loop, key).length === 0)
            .map(({ name, key }) => ({ place: `effects.${name}.answers`, found: `no event answers ${key}` })),
  },
  {
    name: 'answers-are-taken',
    remedy: 'Take a result of it in the state that invokes it, in one around that state, or in one within.',
    offences: (loop) =>
      invokedIn(loop).flatMap(({ node, name, key }) => {
        const lost = lostEvent(loop, name, key)?.type;
        const all = answersOf(loop, key);
        const others = all.filter((type) => type !== lost);
        const results = others.length > 0 ? others : all;
        const isTaken = results.some((type) => descriptorsAt(node).some((descriptor) => takes(descriptor, type)));
        return results.length === 0 || isTaken
          ? []
          : [
              {
                place: within(placeOfState(node.path), 'on'),
                found: `no ${results.join(', no ')}, which answers ${key}`,
              },
            ];
      }),
  },
];

interface Invoked {
  readonly node: StateNode;
  readonly name: string;
  readonly key: string;
}

/** The effects that states of a chart invoke. An effect that an action starts has its key from an event. */
const invokedIn = ({ machine }: LoopDefinition): readonly Invoked[] =>
  nodesOf(machine.root).flatMap((node) => node.invoke.map(({ src, id }) => ({ node, name: String(src), key: id })));

/**
 * A repeatable effect needs no result if its interruption is not recorded. An effect without a description breaks
 * another rule.
 */
function needsAnswer({ effects }: LoopDefinition, name: string): boolean {
  const spec = effects[name];
  return spec !== undefined && !(spec.class === 'repeatable' && spec.interrupted === null);
}

/** The types of the events that can be the result of the effect under a key. */
export const answersOf = (loop: CatalogueEntry, key: string): readonly string[] =>
  (typesIn(loop.events) ?? []).filter((type) => canAnswer(loop, type, key));

/** Whether an event of this type can be the result of the effect under this key. */
function canAnswer(loop: CatalogueEntry, type: string, key: string): boolean {
  const [, reference] = key.split(/\.(.*)/s);
  // The key of an effect with a dot ends with the id of what started it; a timer has its name as its key.
  const event = { type, payload: reference === undefined ? { timer: key } : { callId: reference } } as LoopEvent;
  if (answererOf(loop, event) !== key) return false;
  // Its payload names any of its timers, and no other effect.
  return type !== 'timer.fired' || loop.events.safeParse(event).success;
}

/** The events that a state takes, those of its ancestors and descendants included. */
function descriptorsAt(node: StateNode): readonly string[] {
  const around: StateNode[] = [];
  for (let outer = node.parent; outer; outer = outer.parent) around.push(outer);
  return [...around, ...nodesOf(node)].flatMap(({ config }) => Object.keys(config.on ?? {}));
}
