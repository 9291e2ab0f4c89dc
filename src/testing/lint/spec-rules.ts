import { z } from 'zod';
import { answererOf } from '../../../machines/index.ts';
import { nodesOf } from '../../charts/transitions.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { EffectSpec } from '../../kernel/effect-spec.ts';
import type { Found, Rule } from './rule.ts';
import { typesIn } from './event-types.ts';
import type { AnyEvent } from '../../../machines/events.ts';
import type { Outstanding } from '../../kernel/fold.ts';

const CLASSES: Readonly<Record<EffectSpec['class'], true>> = {
  repeatable: true,
  reconcilable: true,
  once: true,
  child: true,
  'by input': true,
};

/** A definition describes the effects that its chart starts. */
export const specRules: readonly Rule[] = [
  {
    name: 'effects-are-described',
    remedy:
      'Describe it in `effects`: its class, the events that answer it, and what is recorded when it is interrupted.',
    offences: (loop) => {
      const { effects } = loop;
      return startedIn(loop)
        .filter((name) => !Object.hasOwn(effects, name))
        .map((name) => ({ place: `effects.${name}`, found: 'missing' }));
    },
  },
  {
    name: 'what-is-described-is-started',
    remedy: 'Start it in the chart under this name, or take it out.',
    offences: (loop) =>
      [
        ...Object.keys(loop.effects).map((name) => ['effects', name] as const),
        ...Object.keys(loop.handlers ?? {}).map((name) => ['handlers', name] as const),
      ]
        .filter(([, name]) => !startedIn(loop).includes(name))
        .map(([member, name]) => ({ place: `${member}.${name}`, found: 'nothing starts it' })),
  },
  {
    name: 'classes-are-known',
    remedy: `Write one of ${Object.keys(CLASSES)
      .map((name) => `'${name}'`)
      .join(', ')}: what a crash makes of the effect follows from it.`,
    offences: ({ effects }) =>
      Object.entries(effects)
        .filter(([, spec]) => !Object.hasOwn(CLASSES, spec.class))
        .map(([name, spec]) => ({ place: `effects.${name}.class`, found: String(spec.class) })),
  },
  {
    name: 'interruptions-are-recorded',
    remedy:
      'Return the event that is recorded when the effect is stopped or lost. Null is for effects of the class `repeatable`, which nothing waits for.',
    offences: (loop) =>
      Object.entries(loop.effects).flatMap(([name, { class: effectClass, interrupted }]) => {
        const place = `effects.${name}.interrupted`;
        if (interrupted === undefined) return [{ place, found: 'not said' }];
        if (effectClass === 'repeatable') return [];
        const isNothing = interrupted === null || keysOf(loop, name).some((key) => lostEvent(loop, name, key) === null);
        return isNothing ? [{ place, found: `nothing, for an effect of the class ${effectClass}` }] : [];
      }),
  },
  {
    name: 'interruptions-are-results',
    remedy: 'Return an event of `events` that is a result of this effect: say so in its `answers`.',
    offences: (loop) =>
      Object.keys(loop.effects).flatMap((name) =>
        keysOf(loop, name).flatMap((key) => oddInterruption(loop, name, key)),
      ),
  },
  {
    name: 'people-can-answer',
    remedy:
      'Say what is asked in `describe.questions`, which event an answer is in `answered`, and that it may be sent in `commands`.',
    offences: (loop) =>
      Object.entries(loop.effects)
        .filter(([, { asksPerson }]) => asksPerson)
        .flatMap(([name]) =>
          unsaidOfAnswers(loop).map((member) => ({ place: member, found: `missing, and ${name} asks a person` })),
        ),
  },
  {
    name: 'rounds-begin-with-a-fact',
    remedy:
      'Name the event of `events` that begins a round: it is recorded together with the decision that asks for one.',
    offences: (loop) => unknownTypes(loop, [['rounds.started', loop.rounds.started]]),
  },
  {
    name: 'named-events-can-happen',
    remedy: 'Write the type of an event of `events`.',
    offences: (loop) =>
      unknownTypes(loop, [
        ...Object.keys(loop.commands ?? {}).map((type) => [`commands.${type}`, type] as const),
        ...Object.keys(loop.unaccounted ?? {}).map((type) => [`unaccounted.${type}`, type] as const),
      ]),
  },
];

const unsaidOfAnswers = ({ answered, commands, describe }: LoopDefinition): readonly string[] => [
  ...(describe.questions ? [] : ['describe.questions']),
  ...(answered ? [] : ['answered']),
  ...(commands && Object.keys(commands).length > 0 ? [] : ['commands']),
];

const startedIn = ({ machine }: LoopDefinition): readonly string[] => Object.keys(machine.implementations.actors);

/** The keys under which the chart invokes an effect. An effect that an action starts has its key from an event. */
const keysOf = ({ machine }: LoopDefinition, name: string): readonly string[] =>
  nodesOf(machine.root).flatMap(({ invoke }) => invoke.filter(({ src }) => src === name).map(({ id }) => id));

function oddInterruption(loop: LoopDefinition, name: string, key: string): Found[] {
  const event = lostEvent(loop, name, key);
  if (event === null) return [];
  const place = `effects.${name}.interrupted`;
  const parsed = loop.events.safeParse(event);
  if (!parsed.success) {
    const isKnown = typesIn(loop.events)?.includes(event.type);
    return [
      {
        place,
        found: isKnown
          ? `${event.type}: ${z.prettifyError(parsed.error).replaceAll(/\s+/g, ' ')}`
          : `${event.type} is not in the vocabulary`,
      },
    ];
  }
  const answers = answererOf(loop, event as Parameters<typeof answererOf>[1]);
  return answers === key
    ? []
    : [{ place, found: `${event.type} answers ${answers ?? 'no effect'}, and this one is ${key}` }];
}

function unknownTypes({ events }: LoopDefinition, named: readonly (readonly [place: string, type: string])[]): Found[] {
  const known = typesIn(events);
  if (known === null) return [];
  return named
    .filter(([, type]) => !known.includes(type))
    .map(([place, type]) => ({ place, found: type === '' ? 'not said' : `${type} is not in the vocabulary` }));
}

/** The event that is recorded for an effect under this key when it is lost right after its start. Null: none. */
export function lostEvent({ effects }: LoopDefinition, actor: string, key: string): AnyEvent | null {
  const one: Outstanding = { effect: '1/0', key, actor, input: {}, attempt: 1, told: false };
  return effects[actor]?.interrupted?.(one, { reason: 'it was lost', kept: null }) ?? null;
}
