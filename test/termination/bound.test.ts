import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { aloneWithoutEnd, iterationWithoutEnd } from '../../src/config/caps.ts';
import { resolveChange } from '../../src/config/change.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { boundOf, boundReport as reportOf } from '../../src/termination/bound.ts';
import { settingsOf } from '../support/facts.ts';
import { fc } from '../support/fast-check.ts';
import { opened } from './exploration.ts';
import { rankIn } from './ranked.ts';

const cap = fc.option(fc.nat(1_000_000), { nil: null });
const limits: fc.Arbitrary<Limits> = fc.record({
  maxSteps: cap,
  maxToolCalls: cap,
  maxTokens: cap,
  maxIterations: cap,
  maxTimeMs: cap,
  maxCostNanoUsd: cap,
});
const NONE: Limits = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: null, maxTimeMs: null };

const boundReport = (settings: RunSettings) => reportOf(settings, shippedLoops);
const bounded = (settings: RunSettings): boolean => boundReport(settings).tree.events < Infinity;
const delegating: fc.Arbitrary<string[]> = fc.constantFrom<string[]>(['read'], ['read', 'delegate']);

describe('a configuration without a finite bound is refused, and no other', () => {
  test('a turn', () =>
    fc.assert(
      fc.property(limits, delegating, (given, tools) => {
        const settings = { ...settingsOf('turn'), limits: given, tools };
        expect(aloneWithoutEnd(given)).toHaveLength(bounded(settings) ? 0 : 1);
      }),
    ));

  test('a loop of attempts, by what it lacks: a bound of its own, or one of each attempt', () =>
    fc.assert(
      fc.property(limits, limits, delegating, (given, attemptLimits, tools) => {
        const report = boundReport({ ...settingsOf('iteration'), limits: given, attemptLimits, tools });
        const lacking = [
          ...(report.events === Infinity ? ['maxIterations'] : []),
          ...(report.attempt?.tree.events === Infinity ? ['maxSteps'] : []),
        ];
        expect(iterationWithoutEnd(given, attemptLimits).map(({ field }) => field)).toEqual(lacking);
        expect(report.tree.events < Infinity).toBe(lacking.length === 0);
      }),
    ));

  const asked = fc.option(fc.oneof(fc.constant('none'), fc.integer({ min: 1, max: 90 })), { nil: undefined });
  const options = fc.record({
    prompt: fc.constant('mend the clock'),
    loop: fc.constantFrom(undefined, 'turn', 'iteration'),
    checks: fc.constantFrom([], ['npm test']),
    strategy: fc.constantFrom(
      undefined,
      { name: 'fixed' },
      { name: 'hybrid' },
      { name: 'ralph', config: { maxIterations: 'none' } },
      { name: 'own' },
    ),
    maxSteps: asked,
    maxToolCalls: asked,
    maxTokens: asked,
    maxIterations: asked,
    maxTime: asked,
  });
  const changes = fc.record({ maxSteps: asked, maxTokens: asked, maxTime: asked, maxIterations: asked });
  const ceilings = fc.constantFrom({}, { steps: null }, { iterations: null }, { steps: null, iterations: null });

  test('whatever can be asked for, under whatever ceilings, is refused or bounded', () =>
    fc.assert(
      fc.property(options, ceilings, (given, under) => {
        const resolution = resolveSettings(given, { ceilings: under });
        if (resolution.kind === 'settings') expect(bounded(resolution.settings)).toBe(true);
        else
          for (const fault of resolution.faults)
            expect(fault).toMatchObject({ field: expect.any(String), expected: expect.any(String) });
      }),
      { numRuns: 500 },
    ));

  test('whatever a continuation changes, it is refused or bounded', () =>
    fc.assert(
      fc.property(options, changes, ceilings, (given, change, under) => {
        const before = resolveSettings(given, { ceilings: under });
        if (before.kind === 'refused') return;
        const { settings } = before;
        const after = resolveChange(change, settings, { ceilings: under });
        if (after.kind === 'refused') return;
        const attemptLimits = settings.attemptLimits && { ...settings.attemptLimits, ...after.attemptLimits };
        expect(bounded({ ...settings, limits: { ...settings.limits, ...after.limits }, attemptLimits })).toBe(true);
      }),
      { numRuns: 500 },
    ));

  test('the last cap of a run cannot be taken away by a continuation', () => {
    const free = { ceilings: { steps: null, iterations: null } };
    const turn = { limits: { ...NONE, maxSteps: 3 }, attemptLimits: null };
    expect(resolveChange({ maxSteps: 'none' }, turn, free)).toMatchObject({
      kind: 'refused',
      faults: [{ field: 'maxSteps', value: 'none', expected: 'a cap on the turn: maxSteps, maxTokens or maxTime' }],
    });
    const loop = { limits: { ...NONE, maxIterations: 3 }, attemptLimits: { ...NONE, maxSteps: 3 } };
    expect(resolveChange({ maxSteps: 'none', maxIterations: 'none' }, loop, free)).toMatchObject({
      kind: 'refused',
      faults: [{ field: 'maxIterations' }, { field: 'maxSteps' }],
    });
    expect(resolveChange({ maxSteps: 'none', maxTokens: 100 }, loop, free)).toMatchObject({ kind: 'change' });
  });
});

describe('the bound of a configuration', () => {
  test('is what is left of a run that was just opened, and what it is made of adds up to it', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('turn' as const, 'iteration' as const, 'ralph' as const),
        limits,
        fc.boolean(),
        (loop, given, checks) => {
          const settings = { ...settingsOf(loop, { checks }), limits: given };
          const { events, parts } = boundReport(settings);
          expect(boundOf(settings, shippedLoops)).toBe(events);
          expect(events).toBe(rankIn(opened(loop, { limits: given, checks })));
          expect(parts.reduce((sum, part) => sum + part.events, 0)).toBe(events);
          expect(parts.every(({ kind, means }) => kind !== '' && means !== '')).toBe(true);
        },
      ),
    ));

  test('says which limit it comes from', () => {
    const by = (given: Partial<Limits>) => {
      const { rounds, boundBy } = boundReport({ ...settingsOf('turn'), limits: { ...NONE, ...given } });
      return [rounds, boundBy];
    };
    expect(by({ maxSteps: 20, maxTimeMs: 60_000 })).toEqual([20, 'maxSteps']);
    expect(by({ maxSteps: 20, maxTokens: 9 })).toEqual([9, 'maxTokens']);
    expect(by({ maxTimeMs: 60_000 })).toEqual([60_000, 'maxTimeMs']);
    expect(by({ maxSteps: 0 })).toEqual([3, 'maxSteps']);
    expect(by({ maxToolCalls: 5 })).toEqual([Infinity, null]);
  });

  test('of a loop whose maximum may rise counts the rounds up to its ceiling, whatever its maximum is', () => {
    const under = (given: Partial<Limits>, options: { ceiling?: number; adaptive?: boolean }) =>
      boundReport(settingsOf('ralph', { limits: { ...NONE, maxSteps: 2, ...given }, options }));
    const { rounds, boundBy, because, events, attempt, tree } = under({ maxIterations: 3 }, { ceiling: 6 });
    expect({ rounds, boundBy, because }).toEqual({
      rounds: 6,
      boundBy: 'ceiling',
      because: expect.stringMatching('may raise'),
    });
    expect(tree).toEqual({ runs: 7, events: events + 6 * ((attempt?.events ?? 0) + 1) });
    expect(under({ maxIterations: 3 }, {}).rounds).toBe(100);
    // Whether the maximum grows is one event more in each.
    expect(under({ maxIterations: 3 }, { ceiling: 6, adaptive: true }).events).toBe(events + 6);
    const { because: none, ...byTokens } = under({ maxIterations: 3, maxTokens: 5 }, { ceiling: 6 });
    expect(none).toBeUndefined();
    expect(byTokens).toMatchObject({ rounds: 5, boundBy: 'maxTokens' });
  });

  test('of a loop holds as many attempts as it has iterations, each within what the loop has left', () => {
    const loop = {
      ...settingsOf('iteration', { limits: { maxIterations: 3, maxTokens: 5 } }),
      attemptLimits: { ...NONE, maxToolCalls: 9 },
    };
    const { events, attempt, tree } = boundReport(loop);
    expect(attempt).toMatchObject({ loop: 'turn', rounds: 5, boundBy: 'maxTokens' });
    expect(tree).toEqual({ runs: 4, events: events + 3 * ((attempt?.events ?? 0) + 1) });
  });

  test('of a turn that hands work over shares steps and calls among all who work for it', () => {
    const settings = settingsOf('turn', { limits: { maxSteps: 20, maxToolCalls: 50 } });
    const alone = boundReport(settings);
    const shared = boundReport({ ...settings, tools: ['delegate'] });
    // Fifty at most are handed something, and each of them opens and ends a run: 1 + 20.
    expect(shared).toMatchObject({ events: alone.events, tree: { runs: 51, events: alone.events + 50 * 21 } });
    expect(alone.tree).toEqual({ runs: 1, events: alone.events });
    expect(boundReport({ ...settings, tools: ['delegate'], limits: { ...NONE, maxSteps: 0 } }).tree.runs).toBe(1);
    expect(bounded({ ...settings, tools: ['delegate'], limits: { ...NONE, maxTimeMs: 600_000 } })).toBe(true);
  });
});

test('a library caller that takes the last cap away is told so, and nothing is begun', async () => {
  const log = memoryLog();
  const loops = new Loops({
    log,
    model: scriptedModel({ answers: [{ text: 'done' }] }),
    ceilings: { steps: null, iterations: null },
  });
  const endless = { prompt: 'mend the clock', loop: 'turn', maxSteps: 'none' } as const;
  const fault = { field: 'maxSteps', value: 'none', expected: 'a cap on the turn: maxSteps, maxTokens or maxTime' };
  await expect(loops.start(endless)).rejects.toMatchObject({ name: 'OptionsError', faults: [fault] });
  expect(await log.runs()).toEqual([]);

  const run = await loops.start({ ...endless, maxSteps: 3, directory: tmpdir() });
  await run.done;
  await expect(loops.extend(run.run, { maxSteps: 'none' })).rejects.toMatchObject({
    name: 'OptionsError',
    faults: [fault],
  });
  expect(await log.runs()).toHaveLength(1);
});
