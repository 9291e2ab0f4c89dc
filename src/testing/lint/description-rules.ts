import { nodesOf } from '../../charts/nodes.ts';
import type { Rule } from './rule.ts';
import { choicesOf, isNotObvious, leads, placeOfState, within } from './written-chart.ts';

/** A chart describes its states and its choices for its readers. */
export const descriptionRules: readonly Rule[] = [
  {
    name: 'states-are-described',
    remedy: 'Say in one sentence what goes on there.',
    offences: ({ machine: { root } }) =>
      nodesOf(root)
        .filter(({ description }) => !description)
        .map(({ path }) => ({ place: within(placeOfState(path), 'description'), found: 'none' })),
  },
  {
    // Several candidates, a re-entry of the same state and a closed transition are not obvious.
    name: 'choices-are-described',
    remedy: 'Say in one sentence when this transition is taken, and why.',
    offences: ({ machine: { config } }) =>
      choicesOf(config)
        .filter((choice) => isNotObvious(choice) && !choice.description)
        .map(({ place }) => ({ place: `${place}.description`, found: 'none' })),
  },
  {
    // XState would take the event without any effect: it would be recorded for nothing.
    name: 'what-is-taken-does-something',
    remedy: 'Give it a target or an action, or take the guard away where the event is meant to be refused.',
    offences: ({ machine: { config } }) =>
      choicesOf(config)
        .filter((choice) => choice.guard !== undefined && !leads(choice))
        .map(({ place }) => ({ place, found: 'a guard before nothing' })),
  },
];
