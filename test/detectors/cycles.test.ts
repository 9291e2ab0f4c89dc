import { describe, expect, test } from 'vitest';
import { cycles, cyclesKind } from '../../src/detectors/cycles.ts';
import { detectorsOf } from '../../src/detectors/profile.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { fc } from '../support/fast-check.ts';
import { createHarness } from '../support/harness.ts';
import { tool } from '../support/stand-ins.ts';
import {
  asks,
  call,
  done,
  failed,
  foundIn,
  levelsIn,
  read,
  refused,
  saysAndAsks,
  steered,
  step,
  times,
} from './turn-story.ts';

const detector = cycles();
const word = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength });
const letters = (word: string) => [...word].map((letter) => asks(read(letter)));
const byDefault = (traits: TraitsOf = () => ({})) => {
  const chosen = detectorsOf(
    [{ name: 'cycles', config: { nudgeIdentical: 2, stopIdentical: 0, nudge: 3, stop: 5 } }],
    traits,
  );
  if (chosen.kind === 'refused' || !chosen.detectors[0]) throw new Error('no such numbers');
  return chosen.detectors[0];
};

describe('D2a cycles', () => {
  test.each([1, 2, 3, 4, 5, 6])('D2a a cycle of %d calls stops at its fifth repeat, not one call earlier', (period) => {
    const whole = 'abcdef'.slice(0, period).repeat(5);
    expect(levelsIn(detector, letters(whole.slice(0, -1)))).toEqual([]);
    expect(levelsIn(detector, letters(whole))).toEqual([`stop at ${5 * period}`]);
    expect(foundIn(detector, letters(whole))).toMatchObject([{ count: 5, level: 'stop' }]);
    expect(foundIn(detector, letters(whole))[0]?.evidence).toHaveLength(5 * period);
  });

  test('D2a a cycle of seven is beyond it', () => expect(levelsIn(detector, letters('abcdefg'.repeat(8)))).toEqual([]));

  test('D2a a cycle may begin anywhere, and in its middle', () =>
    expect(levelsIn(detector, letters(`xyzxyz${'cab'.repeat(5)}`))).toEqual([`stop at ${6 + 15}`]));

  test('D2a by default the second identical call nudges once, and a longer cycle at its third repeat', () => {
    expect(levelsIn(byDefault(), letters('aaaaaaaaaaaaaaaaaaaaaaaaa'))).toEqual(['nudge at 2']);
    expect(levelsIn(byDefault(), letters('ababa'))).toEqual([]);
    expect(levelsIn(byDefault(), letters('ababababab'))).toEqual(['nudge at 6', 'stop at 10']);
    expect(foundIn(byDefault(), letters('ababab'))).toMatchObject([
      { message: 'the same 2 calls in turn, 3 times: read, read' },
    ]);
    expect(levelsIn(byDefault(), letters('abcabcabcabc'))).toEqual(['nudge at 9']);
  });

  test('D2a a cycle counts by its shortest period', () => {
    expect(
      foundIn(
        cyclesKind.create({ ...Object(cyclesKind.config.parse({})), stopIdentical: 0 }, () => ({})),
        letters('a'.repeat(60)),
      ),
    ).toEqual([]);
    expect(foundIn(detector, letters('ab'.repeat(12))).map(({ message }) => message.includes('2 calls'))).toEqual(
      times(15, () => true),
    );
  });

  test('D2a is broken by one other call, and by one that is exempt or polls', () => {
    const traits: TraitsOf = (name) => ({
      ...(name === 'ask' ? { identity: 'exempt' } : {}),
      ...(name === 'poll' ? { polling: true } : {}),
    });
    for (const other of [read('x'), call('ask'), call('poll')]) {
      const facts = [...letters('ababababa'), asks(other), ...letters('babababab')];
      expect(levelsIn(cycles(undefined, traits), facts)).toEqual([]);
    }
  });

  test('D2a calls of one answer are one step of a cycle, in any order, whatever is said beside them', () => {
    const word = 'abcabcabcabcabc';
    expect(levelsIn(detector, [asks(...[...word].map(read))])).toEqual([]);
    const inPairs = times(10, (index) =>
      index % 2 ? asks(read('c')) : asks(...(index % 4 ? 'ab' : 'ba').split('').map(read)),
    );
    expect(levelsIn(detector, inPairs)).toEqual(['stop at 10']);
    expect(
      levelsIn(
        detector,
        word.split('').map((letter, index) => saysAndAsks(`thought ${index}`, read(letter))),
      ),
    ).toEqual(['stop at 15']);
  });

  test('D2a to refuse one of a pair does not hide the loop', () => {
    const facts = times(5, () => [...step(read('a')), ...step(read('b'), refused())]);
    expect(levelsIn(detector, facts)).toEqual([`stop at ${facts.length - 1}`]);
  });

  test('D2a pages, files one by one, and edits between tests are no cycle', () => {
    expect(
      levelsIn(
        byDefault(),
        times(40, (page) => step(call('list', { page }))),
      ),
    ).toEqual([]);
    expect(
      levelsIn(
        byDefault(),
        times(40, (index) => [
          ...step(call('edit', { to: index })),
          ...step(call('shell', { command: 'npm test' }), done(`${index}`)),
        ]),
      ),
    ).toEqual([]);
  });

  test('D2a fires exactly where all calls read again would', () =>
    fc.assert(
      fc.property(word(1, 6), word(0, 8), fc.nat({ max: 40 }), (unit, prefix, length) => {
        const word = (prefix + unit.repeat(40)).slice(0, length);
        const expected = [...word].flatMap((_, index) => {
          const soFar = word.slice(0, index + 1);
          const periods = [1, 2, 3, 4, 5, 6].filter(
            (period) => soFar.length >= 5 * period && soFar.endsWith(soFar.slice(-period).repeat(5)),
          );
          return periods.length > 0 ? [`stop at ${index + 1}`] : [];
        });
        expect(levelsIn(detector, letters(word))).toEqual(expected);
      }),
    ));

  test('D2a in a run: two calls in turn are told of, then end it, with the answers as evidence', async () => {
    const [left, right] = [tool('left', async () => ({ output: 'l' })), tool('right', async () => ({ output: 'r' }))];
    const told: boolean[] = [];
    const { play } = createHarness({
      tools: [left, right],
      model: ({ step: number, messages }) => {
        told.push(JSON.stringify(messages.at(-1)).includes('the same 2 calls in turn, 3 times'));
        return { calls: [{ tool: number % 2 ? 'right' : 'left', arguments: {} }] };
      },
    });
    const { outcome, run, facts } = await play({ detectors: ['default', 'cycles'] });
    expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'cycles', count: 5 } });
    expect(told.indexOf(true)).toBe(6);
    expect(told.filter(Boolean)).toHaveLength(1);
    const answers = facts.filter(({ type }) => type === 'model.completed').map(({ version }) => `${run}/${version}`);
    expect(outcome).toMatchObject({ finding: { evidence: answers.slice(-10) } });
  });
});

describe('D2a D0+ cycles whose results count', () => {
  const [profile] = detectorsNamed('cycles');
  const turns = (rounds: number, bisect: (round: number) => string) =>
    times(rounds, (round) => [
      ...step(call('shell', { command: 'npm test' }), done('1 failed')),
      ...step(call('shell', { command: 'git bisect bad' }), done(bisect(round))),
    ]);
  const levels = (facts: ReturnType<typeof turns>) => (profile ? levelsIn(profile, facts) : []);

  test('D2a D0+ with the same results, the third repeat is a nudge, and the fifth a stop', () =>
    expect(levels(turns(5, () => 'nothing left'))).toEqual(['nudge at 12', 'stop at 20']));

  test('D2a D0+ with news in one of the results, it is neither told nor ended, however long it goes on', () =>
    expect(levels(turns(50, (round) => `${100 - round} revisions left`))).toEqual([]));

  test('D2a D0+ where one of the results takes turns between known ones, the stop comes at the tenth repeat', () => {
    const flickering = (round: number) => (round % 2 ? 'stash is empty' : 'stash has 1 change');
    expect(levels(turns(9, flickering))).toEqual([]);
    expect(levels(turns(12, flickering)).at(0)).toMatch(/^stop at 4/);
  });

  test('D2a D0+ that a call fails again is no news, whatever the error says', () => {
    const facts = times(5, (round) => [...step(read('a')), ...step(call('cp'), failed(`no space, try ${round}`))]);
    expect(levels(facts)).toEqual(['nudge at 12', 'stop at 20']);
  });

  test('D2a D0+ news that cease are counted from there', () => {
    const facts = turns(8, (round) => (round < 3 ? `${round} left` : 'nothing left'));
    expect(levels(facts)).toEqual(['nudge at 24', 'stop at 32']);
  });

  test('D2a D0+ a call that polls or is exempt ends it, and so does a message of a person', () => {
    const same = turns(2, () => 'x');
    expect(levels([...same, ...same, steered, ...same])).toEqual(['nudge at 12']);
    for (const traits of [{ polling: true } as const, { identity: 'exempt' } as const]) {
      const [watching] = detectorsNamed('cycles', (tool) => (tool === 'wait' ? traits : {}));
      const facts = times(6, () => [...turns(1, () => 'x'), ...step(call('wait'))]);
      expect(watching && levelsIn(watching, facts)).toEqual([]);
    }
  });
});

function detectorsNamed(name: string, traits: TraitsOf = () => ({})) {
  const chosen = detectorsOf(['default'], traits);
  return chosen.kind === 'refused' ? [] : chosen.detectors.filter((one) => one.name === name);
}
