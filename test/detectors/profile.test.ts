import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { faultSentence } from '../../src/options/config-fault.ts';
import { DETECTOR_KINDS } from '../../src/detectors/detector-kinds.ts';
import { detectorsOf } from '../../src/detectors/profile.ts';
import { noTraits } from '../../src/detectors/traits.ts';
import { modelAskedFor, toolFailed } from '../support/facts.ts';
import { foundIn } from './folding.ts';

const namesOf = (...choices: Parameters<typeof detectorsOf>[0]) => {
  const chosen = detectorsOf(choices, noTraits);
  return chosen.kind === 'refused' ? chosen.faults : chosen.detectors.map(({ name }) => name);
};

describe('profiles', () => {
  test.each(['default', 'strict', 'off'])('T7 three identical calls stop a turn in the profile %s', (name) => {
    expect(namesOf(name)).toContain('identical-calls');
  });

  test('the profile default is the detectors that are right nearly always, strict is all of them, off is one', () => {
    const byDefault = [
      'identical-calls',
      'repeated-error',
      'monologue',
      'cycles',
      'workspace-hash',
      'no-progress',
      'compaction-thrash',
      'handoff-cycle',
      'failing-calls',
      'same-result',
      'tampering',
      'standstill',
      'rewrites',
    ];
    expect(namesOf('default')).toEqual(byDefault);
    expect(namesOf('off')).toEqual(['identical-calls']);
    expect(namesOf('strict')).toEqual(DETECTOR_KINDS.map(({ name }) => name));
  });

  test('invalid thresholds are refused with what is counted and the likely name; a profile has none', () => {
    const sentence = (name: string, config: Record<string, number>) => {
      const [fault] = namesOf({ name, config });
      return typeof fault === 'object' ? faultSentence(fault).split('expected ')[1] : fault;
    };
    expect(sentence('no-progress', { nudge: 1 })).toBe(
      'what the detector no-progress takes (a whole number of calls, 2 or more), found 1',
    );
    expect(sentence('no-progress', { nudges: 2 })).toBe(
      'what the detector no-progress takes (a known option), found 2. Did you mean nudge?',
    );
    expect(sentence('strict', {})).toMatch(/^one of: identical-calls, /);
  });

  test('a list of names, profiles, and names with numbers is one choice, each detector once', () => {
    expect(namesOf('off', 'chant', 'off')).toEqual(['identical-calls', 'chant']);
    expect(namesOf('monologue', { name: 'monologue', config: { threshold: 4 } })).toEqual(['monologue']);
    expect(namesOf()).toEqual([]);
  });

  test('a detector named with a minus is left out, wherever the minus stands', () => {
    const withoutIt = namesOf('default').filter((name) => name !== 'monologue');
    expect(namesOf('default', '-monologue')).toEqual(withoutIt);
    expect(namesOf('-monologue', 'default')).toEqual(withoutIt);
    expect(namesOf('off', '-identical-calls')).toEqual([]);
  });

  test('what is left out is a detector, and not one that is named as well', () => {
    expect(namesOf('default', '-monolog')).toMatchObject([
      { field: 'detectors[1]', value: '-monolog', suggestion: '-monologue' },
    ]);
    expect(namesOf('-default')).toMatchObject([{ field: 'detectors[0]', value: '-default' }]);
    const expected = 'either monologue or -monologue, not both';
    const named = { name: 'monologue', config: {} };
    expect(namesOf(named, '-monologue')).toMatchObject([{ field: 'detectors[1]', expected }]);
  });

  test('D1b D2a the default profile tells the model early, and leaves identical calls to the detector of those', () => {
    const chosen = detectorsOf(['default'], noTraits);
    if (chosen.kind === 'refused') throw new Error('the default profile is no choice');
    const failing = (count: number): LoopEvent[] =>
      Array.from({ length: count }, (_, step) => [modelAskedFor(`${step}.0`), toolFailed(`${step}.0`)]).flat();
    const levels = (name: string, facts: LoopEvent[]) =>
      chosen.detectors
        .filter((one) => one.name === name)
        .flatMap((one) => foundIn(one, facts))
        .map(({ level, count }) => `${level} ${count}`);
    expect(levels('repeated-error', failing(4))).toEqual(['nudge 2', 'block 3', 'stop 4']);
    expect(levels('cycles', failing(9))).toEqual(['nudge 2']);
    expect(levels('identical-calls', failing(3))).toEqual(['stop 3']);
    const turns = (count: number) =>
      Array.from({ length: count }, (_, step) => modelAskedFor(step % 2 ? 'x' : 'y')).map((fact, step): LoopEvent =>
        fact.type === 'model.completed'
          ? {
              ...fact,
              payload: {
                ...fact.payload,
                calls: fact.payload.calls.map((call) => ({ ...call, arguments: { path: step % 2 ? 'a' : 'b' } })),
              },
            }
          : fact,
      );
    const failed = (facts: LoopEvent[]) => facts.flatMap((fact, step) => [fact, toolFailed(step % 2 ? 'x' : 'y')]);
    expect(levels('cycles', failed(turns(9)))).toEqual(['nudge 3']);
    expect(levels('cycles', failed(turns(10)))).toEqual(['nudge 3', 'stop 5']);
  });

  test('an unknown name is answered with the known ones', () => {
    expect(namesOf('defualt')).toMatchObject([{ field: 'detectors[0]', value: 'defualt', suggestion: 'default' }]);
    expect(namesOf('off', 'toString')).toMatchObject([{ field: 'detectors[1]', suggestion: null }]);
  });

  test('an invalid threshold is refused with its field', () => {
    expect(namesOf('off', { name: 'identical-calls', config: { threshold: 1.5 } })).toMatchObject([
      { field: 'detectors[1].config.threshold', value: 1.5 },
    ]);
  });
});
