import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { CLIMBING_DETECTORS, DETECTOR_KINDS } from '../../src/detectors/detector-kinds.ts';
import {
  asks,
  type Call,
  call,
  done,
  failed,
  inPlaces,
  read,
  refused,
  shell,
  steered,
  times,
  traitsHere,
} from './turn-story.ts';

interface Climb {
  readonly like: (index: number) => Call;
  readonly ends: (index: number) => LoopEvent;
  /** Ends the row, where another call can. */
  readonly way: readonly LoopEvent[] | null;
}
const lookups = [
  'cart total tax',
  'cart tax total',
  'tax cart total',
  'tax total cart',
  'total cart tax',
  'total tax cart',
];
const good: LoopEvent[] = [asks(call('lookup', { text: 'other_thing' })), done('something new')];

const CLIMBS: Readonly<Record<string, Climb>> = {
  'no-progress': { like: () => read('a'), ends: () => done('the same'), way: null },
  'repeated-error': { like: () => read('a'), ends: (at) => failed(`no, try ${at}`), way: good },
  'failing-calls': { like: (at) => read(`${at}`), ends: () => failed('no'), way: good },
  'same-result': {
    like: (at) => call('ask', { question: lookups[at % 6] ?? '' }),
    ends: () => done('busy'),
    way: good,
  },
  rewrites: { like: (at) => call('plan', { text: `plan ${at}` }), ends: () => done(), way: good },
  standstill: {
    like: () => shell('npm test'),
    ends: () => done('FAIL a > adds tax\n[exit code 1]'),
    way: [asks(shell('npx vitest')), done('FAIL b > rounds\n[exit code 1]')],
  },
};
const kinds = DETECTOR_KINDS.filter(({ climbs }) => climbs);
const made = (kind: (typeof kinds)[number]) =>
  kind.create(kind.config.parse({ nudge: 3, refuse: 5, stop: 8 }), (name) =>
    name === 'plan' ? { writes: true, replaces: true } : traitsHere(name),
  );

/** The findings, where a refused call does not run: `next` makes the steps one by one. */
function climbed(kind: (typeof kinds)[number], steps: readonly (Climb | readonly LoopEvent[])[]): Finding[] {
  const detector = made(kind);
  let state = detector.init();
  const facts: LoopEvent[] = [];
  const findings: Finding[] = [];
  const take = (fact: LoopEvent) => {
    facts.push(fact);
    const event = inPlaces(facts).at(-1);
    const noticed = event ? detector.step(state, event) : { state };
    state = JSON.parse(JSON.stringify(noticed.state)) as typeof state;
    if (noticed.finding) findings.push(noticed.finding);
    return noticed.finding?.level;
  };
  for (const [index, one] of steps.entries()) {
    if ('like' in one) {
      const isRefused = take(asks(one.like(index))) === 'block';
      take(isRefused ? refused() : one.ends(index));
    } else for (const fact of one) take(fact);
  }
  return findings;
}
const levelsOf = (findings: readonly Finding[]) => findings.map(({ level }) => level);

test('D16 every detector with a ladder climbs here', () =>
  expect(new Set(Object.keys(CLIMBS))).toEqual(CLIMBING_DETECTORS));

describe.each(kinds.map((kind) => ({ name: kind.name, kind })))('D8 the ladder of $name', ({ name, kind }) => {
  const climb = CLIMBS[name];
  if (!climb) throw new Error(`no climb of ${name}`);

  test('D8 first a nudge, then one call like it is refused with the reason, then the stop', () => {
    const findings = climbed(
      kind,
      times(10, () => climb),
    );
    expect(levelsOf(findings).slice(0, 3)).toEqual(['nudge', 'block', 'stop']);
    const [, block] = findings;
    expect(block).toMatchObject({ detector: name, calls: ['0.0'] });
    expect(block?.message).toMatch(/\d/);
    expect(new Set(block?.evidence).size).toBe(block?.evidence.length);
    expect(block?.evidence.at(-1)).toBe('run-1/11');
  });

  test('D8 a call of another kind is not refused, the next one like it is', () => {
    const other = asks(call('some_other_tool', { text: 'x1' }));
    const findings = climbed(kind, [...times(5, () => climb), [other], climb]);
    expect(findings.map(({ level, evidence }) => [level, evidence.at(-1)]).at(-1)).toEqual(['block', 'run-1/12']);
    expect(levelsOf(findings)).toEqual(['nudge', 'block']);
  });

  test('D8 a word of a person forgets a refusal that is due', () =>
    expect(levelsOf(climbed(kind, [...times(5, () => climb), [steered], climb, climb]))).toEqual(['nudge']));

  test('D8 a refusal that is due is forgotten where the row is over', () => {
    if (climb.way) expect(levelsOf(climbed(kind, [...times(5, () => climb), climb.way, climb]))).not.toContain('block');
    expect(
      levelsOf(
        climbed(
          kind,
          times(4, () => climb),
        ),
      ),
    ).toEqual(['nudge']);
  });
});

test('D16 a refusal of several calls of one answer names each that goes on like before', () => {
  const kind = kinds.find(({ name }) => name === 'repeated-error');
  const pair: readonly LoopEvent[] = [asks(read('a'), read('b')), failed('x', 0), failed('x', 1)];
  const asked: readonly LoopEvent[] = [asks(read('c'), read('b'), read('a'))];
  const findings = kind ? climbed(kind, [...Array.from({ length: 5 }, () => pair), asked]) : [];
  expect(findings.find(({ level }) => level === 'block')?.calls).toEqual(['0.1', '0.2']);
});
