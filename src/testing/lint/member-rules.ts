import type { LoopDefinition, LoopSettings } from '../../kernel/loop-definition.ts';
import type { EffectSpec } from '../../kernel/effect-spec.ts';
import type { LoopDescription } from '../../kernel/loop-description.ts';
import type { Rounds } from '../../kernel/loop-ranking.ts';
import { nearest } from '../../text/nearest.ts';
import type { Found, Rule } from './rule.ts';

/** A definition written without types may misspell a member: it would be ignored without a word. */
export const memberRules: readonly Rule[] = [
  {
    name: 'members-are-known',
    remedy: 'Correct the name, or take the member out: nothing reads it.',
    offences: ({ rounds, describe, settings = {}, effects, ...loop }) => [
      ...unknownIn(loop, '', DEFINITION),
      ...unknownIn(rounds, 'rounds.', ROUNDS),
      ...unknownIn(describe, 'describe.', DESCRIPTION),
      ...unknownIn(settings, 'settings.', SETTINGS),
      ...Object.entries(effects).flatMap(([name, spec]) => unknownIn(spec, `effects.${name}.`, EFFECT)),
    ],
  },
];

type MembersOf<Shape> = Readonly<Record<keyof Shape, true>>;

const DEFINITION: MembersOf<LoopDefinition> = {
  id: true,
  machine: true,
  events: true,
  settles: true,
  alongside: true,
  unaccounted: true,
  queues: true,
  migration: true,
  module: true,
  rounds: true,
  effects: true,
  judge: true,
  strategyInput: true,
  remember: true,
  judgements: true,
  reserve: true,
  setsAside: true,
  frees: true,
  asksAgain: true,
  observe: true,
  spend: true,
  commands: true,
  answered: true,
  conversation: true,
  settings: true,
  activity: true,
  ranking: true,
  verdicts: true,
  describe: true,
  handlers: true,
};
const ROUNDS: MembersOf<Rounds> = {
  started: true,
  begin: true,
  count: true,
  used: true,
  counters: true,
  most: true,
  shown: true,
  limit: true,
};
const DESCRIPTION: MembersOf<LoopDescription> = {
  round: true,
  child: true,
  rows: true,
  line: true,
  answer: true,
  adds: true,
  work: true,
  questions: true,
  remedy: true,
  activity: true,
  narration: true,
  tracker: true,
  next: true,
  report: true,
};
const SETTINGS: MembersOf<LoopSettings> = {
  options: true,
  models: true,
  bounds: true,
  ofChildren: true,
  defaults: true,
  refuses: true,
  needsCleanStart: true,
  needsGit: true,
};
const EFFECT: MembersOf<EffectSpec> = {
  class: true,
  interrupted: true,
  handler: true,
  answers: true,
  asksPerson: true,
  spends: true,
  decide: true,
  opens: true,
  continues: true,
  opensLater: true,
};

/** Members that had another name in earlier versions. No letter of them says what they are called now. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['hears', '`strategyInput`'],
  ['goOn', '`otherwise`, in the second argument of `judgeInOrder`'],
]);

const unknownIn = (part: object, prefix: string, known: object): Found[] =>
  Object.keys(part)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => ({ place: `${prefix}${name}`, found: unknownMember(name, Object.keys(known)) }));

function unknownMember(name: string, known: readonly string[]): string {
  const renamed = RENAMED.get(name);
  if (renamed !== undefined) return `unknown, its name is now ${renamed}`;
  const meant = nearest(name, known);
  return meant === null ? `unknown, the known members are ${known.join(', ')}` : `unknown, the nearest is \`${meant}\``;
}
