import { nodesOf } from '../../charts/nodes.ts';
import type { Rule } from './rule.ts';
import { choicesOf, isNotObvious, leads, placeOfState, within } from './written-chart.ts';

/** A chart explains itself to who reads it. */
export const wordRules: readonly Rule[] = [
  {
    name: 'states-are-described',
    remedy: 'Say in one sentence what goes on there.',
    offences: ({ machine: { root } }) =>
      nodesOf(root)
        .filter(({ description }) => !description)
        .map(({ path }) => ({ place: within(placeOfState(path), 'description'), found: 'none' })),
  },
  {
    // Several ways to go, a way back into the same state, or a closed one: none of them explains itself.
    name: 'choices-are-described',
    remedy: 'Say in one sentence when this way is taken, and why.',
    offences: ({ machine: { config } }) =>
      choicesOf(config)
        .filter((choice) => isNotObvious(choice) && !choice.description)
        .map(({ place }) => ({ place: `${place}.description`, found: 'none' })),
  },
  {
    // What XState takes without doing anything would be recorded, and mean nothing.
    name: 'what-is-taken-does-something',
    remedy: 'Give it a target or an action, or take the guard away where the event is meant to be refused.',
    offences: ({ machine: { config } }) =>
      choicesOf(config)
        .filter((choice) => choice.guard !== undefined && !leads(choice))
        .map(({ place }) => ({ place, found: 'a guard before nothing' })),
  },
];
