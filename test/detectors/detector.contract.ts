import { describe, expect, test } from 'vitest';
import { Finding } from '../../machines/outcome.ts';
import { LoopEvent } from '../../machines/events.ts';
import { type Detector, eventId, type LoggedEvent } from '../../src/detectors/detector.ts';
import { fc } from '../support/fast-check.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { infrastructure, logged, soup } from './event-soup.ts';

const MAX_STATE_CHARS = 100_000;
const MAX_EVIDENCE = 50;
const MAX_MESSAGE_CHARS = 1_000;
const MANY_EVENTS = 5_000;
const SOUPS = { numRuns: tenthOfMany(500) };

const json = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

let drawn: readonly LoggedEvent[] | null = null;

/** The same for every detector: to draw them takes longer than to look at them. */
const manyFacts = (): readonly LoggedEvent[] =>
  (drawn ??= fc.sample(soup, { numRuns: 2_000, seed: 4 }).flat().slice(0, MANY_EVENTS));

/** What a detector finds at each fact, and the state it comes to. */
function fold(detector: Detector, facts: readonly LoggedEvent[], from: unknown = detector.init()) {
  let state = from;
  const findings = facts.map((event) => {
    const noticed = detector.step(state, event);
    state = noticed.state;
    return noticed.finding ?? null;
  });
  return { state, findings };
}

/** What every detector keeps to, whatever it looks for. */
export function detectorContract(name: string, make: () => Detector): void {
  describe(`${name} as any detector`, () => {
    test('finds what is a finding, resting on facts it has seen', () =>
      fc.assert(
        fc.property(soup, (facts) => {
          const detector = make();
          const { findings } = fold(detector, facts);
          for (const [index, finding] of findings.entries()) {
            if (!finding) continue;
            expect(Finding.safeParse(finding).success).toBe(true);
            expect(finding).toMatchObject({ detector: detector.name });
            expect(finding.message.length).toBeLessThanOrEqual(MAX_MESSAGE_CHARS);
            const seen = new Set(facts.slice(0, index + 1).map(eventId));
            expect(finding.evidence.length).toBeGreaterThan(0);
            expect(finding.evidence.length).toBeLessThanOrEqual(MAX_EVIDENCE);
            expect(finding.evidence.filter((id) => !seen.has(id))).toEqual([]);
            expect(new Set(finding.evidence).size).toBe(finding.evidence.length);
            const fact = facts[index];
            const asked = fact?.type === 'model.completed' ? fact.payload.calls.map(({ callId }) => callId) : [];
            if (finding.level === 'block') expect(finding.calls?.length).toBeGreaterThan(0);
            if (finding.calls !== undefined) expect(['block', 'stop']).toContain(finding.level);
            expect((finding.calls ?? []).filter((callId) => !asked.includes(callId))).toEqual([]);
          }
        }),
        SOUPS,
      ));

    test('has a state that survives JSON: a beginning and the rest are the whole', () =>
      fc.assert(
        fc.property(soup, fc.nat(), (facts, cut) => {
          const detector = make();
          const whole = fold(detector, facts);
          const at = facts.length === 0 ? 0 : cut % facts.length;
          const beginning = fold(detector, facts.slice(0, at));
          expect(json(beginning.state)).toStrictEqual(beginning.state);
          const stored = json(beginning.state);
          const rest = fold(make(), json(facts.slice(at)), stored);
          expect([...beginning.findings, ...rest.findings]).toEqual(whole.findings);
          expect(rest.state).toEqual(whole.state);
          expect(stored).toStrictEqual(beginning.state);
        }),
        SOUPS,
      ));

    test('makes nothing of an event that it says it does not look at', () =>
      fc.assert(
        fc.property(soup, (facts) => {
          const detector = make();
          let state = detector.init();
          for (const event of facts) {
            const noticed = detector.step(state, event);
            if (detector.sees && !detector.sees.has(event.type)) expect(noticed).toEqual({ state });
            state = noticed.state;
          }
        }),
        SOUPS,
      ));

    test('is blind to the order of keys', () =>
      fc.assert(
        fc.property(soup, (facts) => {
          expect(fold(make(), facts.map(reversed)).findings.map(weight)).toEqual(
            fold(make(), facts).findings.map(weight),
          );
        }),
        SOUPS,
      ));

    test('finds the same whatever the provider and the process did between', () =>
      fc.assert(
        fc.property(soup, fc.array(fc.nat()), (facts, places) => {
          const disturbed = facts.flatMap((fact, index) => {
            const place = places[index];
            if (place === undefined) return [fact];
            const between = infrastructure[place % infrastructure.length];
            return between ? [{ ...between, run: fact.run, version: fact.version - 1 }, fact] : [fact];
          });
          const own = new Set(facts);
          const findings = fold(make(), disturbed).findings;
          expect(findings.filter((_, index) => own.has(disturbed[index] as LoggedEvent))).toEqual(
            fold(make(), facts).findings,
          );
          expect(findings.filter((finding, index) => finding && !own.has(disturbed[index] as LoggedEvent))).toEqual([]);
        }),
        SOUPS,
      ));

    test(`stays small over ${MANY_EVENTS} facts`, () => {
      const detector = make();
      let state = detector.init();
      let largest = 0;
      const facts = manyFacts();
      expect(facts.length).toBe(MANY_EVENTS);
      for (const [version, event] of facts.entries()) {
        state = detector.step(state, { ...event, version }).state;
        if (version % 50 === 0) largest = Math.max(largest, JSON.stringify(state).length);
      }
      expect(largest).toBeLessThan(MAX_STATE_CHARS);
    });
  });
}

const weight = (finding: Finding | null) => finding && [finding.level, finding.count, finding.calls];

/** The same fact with the keys of every object the other way round. */
function reversed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(reversed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  ) as Value;
}

test('the soup is made of facts', () =>
  fc.assert(
    fc.property(soup, (facts) => {
      for (const { type, payload } of facts) expect(LoopEvent.safeParse({ type, payload }).error).toBe(undefined);
    }),
  ));

test('the infrastructure is made of facts', () => {
  for (const { type, payload } of logged(infrastructure))
    expect(LoopEvent.safeParse({ type, payload }).error).toBe(undefined);
});
