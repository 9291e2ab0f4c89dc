import { DETECTOR_KINDS } from '../../src/detectors/kinds.ts';
import { PROFILES } from '../../src/detectors/profile.ts';

/** What each notices, as a person reads it. The numbers are beside it. */
const NOTICES: Readonly<Record<string, readonly [id: string, notices: string]>> = {
  'identical-calls': ['D0', 'the last calls of a turn are the same'],
  'repeated-observation': ['D1a', 'the last calls are the same, and so are their results'],
  'repeated-error': ['D1b', 'the same call fails again and again, whatever its error says'],
  monologue: ['D1c', 'answers without a call, and nobody has said anything between'],
  alternating: ['D1d', 'two calls in turn, with the same results each time'],
  cycles: ['D2a', 'the same few calls in the same order, over and over'],
  chant: ['D2b', 'the text of an answer repeats itself while it is said'],
  'same-tool': ['D2c', 'one tool and no other, whatever its arguments; or one call too often in a turn'],
  'same-message': ['D3', 'the same call several times in one answer'],
  'ladder-identical': ['D4', 'more than so many of the same call in a row'],
  'soft-hard': ['D5', 'the same call in a row: first a word, then the end'],
  'workspace-hash': ['D6a', 'iterations that leave the same files and the same check results'],
  'similar-output': ['D6b', 'attempts whose answers are nearly the same'],
  'streak-ladder': ['D7', 'a tool called in the same way step after step, other tools between or not'],
  'no-progress': ['D8', 'calls that bring nothing new: the same with the same result, two in turn, or only known results'],
  failures: ['D9', 'attempts that fall short of their end, or the same error iteration after iteration'],
  'compaction-thrash': ['D10', 'a conversation that is full again right after it was summarised'],
  'no-improvement': ['D11', 'iterations whose checks come no further than the best before'],
  'handoff-cycle': ['D12', 'a task handed to an agent that has it already'],
};

/** Every detector, its numbers, and which profile has it. */
export function detectorTable(): string {
  const rows = DETECTOR_KINDS.map(({ name, config }) => {
    const [id, notices] = NOTICES[name] ?? [];
    if (!id) throw new Error(`nobody says what ${name} notices`);
    return `| \`${name}\` | ${id} | ${notices} | ${numbers(config.parse({}))} | ${inProfile('default', name)} | ${inProfile('strict', name)} | ${inProfile('off', name)} |`;
  });
  return ['| detector | id | notices | numbers | `default` | `strict` | `off` |', '| --- | --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** A profile's own numbers, where it has any. */
function inProfile(profile: string, name: string): string {
  const choice = PROFILES.get(profile)?.find((one) => (typeof one === 'string' ? one : one.name) === name);
  if (choice === undefined) return '';
  return typeof choice === 'string' ? 'yes' : numbers(choice.config);
}

const numbers = (config: unknown): string => Object.entries(config as object).map(([name, value]) => `\`${name}\` ${value}`).join(', ');
