import { expect, test } from 'vitest';
import type { ImprovementContext } from '../../machines/improvement-progress.ts';
import { tokensOf } from '../../src/budget/limit-use.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { fold, hasEnded, lifeOf, open } from '../../src/kernel/fold.ts';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { ImprovementHistory } from '../../src/loops/improvement/history/improvement-history.ts';
import { PHASE_NAMES, type PhaseCosts } from '../../src/loops/improvement/history/iteration-result.ts';
import { aroundAppend } from '../support/around-append.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { createHarness } from '../support/harness.ts';
import { testInTurn } from '../support/in-turn.ts';
import type { Seen } from '../support/observers.ts';
import { ended, history } from '../support/run-history.ts';
import { seed } from '../support/seed.ts';
import { never, note } from '../support/stand-ins.ts';
import { takesAll, tenthOf, tenthOfMany } from '../support/tenth.ts';
import { ScriptedNight } from './scripted-night.ts';

// Whole nights, of a runtime without a disk: what each phase finds and uses is drawn, experiments are real runs.

const NIGHTS = 1_000;
const MINUTE = 60_000;

function playing(night: ScriptedNight, { log = memoryLog(), clock = fakeClock() } = {}) {
  const harness = createHarness({
    log,
    clock,
    ceilings: { iterations: null },
    tools: [note],
    model: night.model,
    aroundHandlers: night.around,
  });
  const start = (asked: Partial<RunOptions>) => harness.start({ loop: 'improvement', detectors: ['off'], ...asked });
  return { ...harness, start };
}

async function played(night: ScriptedNight, asked: Partial<RunOptions>) {
  const { start, log } = playing(night);
  const live = await start(asked);
  const { outcome, spend } = await ended(live);
  const past = new ImprovementHistory();
  const facts = await history(log, live.run);
  for (const fact of facts) past.observe(fact as unknown as Fact);
  return { run: live.run, outcome, total: tokensOf(spend), past, facts, all: live.observer.facts };
}

/** The usage that one event of any run tells of. */
const usageIn = ({ payload }: Seen) => ('usage' in payload && payload.usage ? tokensOf(payload.usage) : 0);

/** How much more each call of a model has used than was reserved for it. */
function errorsOf(all: readonly Seen[]): number[] {
  const reserved = new Map<string, number>();
  return all.flatMap((fact) => {
    if (fact.type === 'step.started') reserved.set(fact.run, fact.payload.reserved?.tokens ?? Infinity);
    return fact.type === 'model.completed' ? [usageIn(fact) - (reserved.get(fact.run) ?? 0)] : [];
  });
}

/** How many experiments of a night worked at once. */
function mostAtOnce(facts: readonly Seen[]): number {
  const working = new Set<string>();
  return facts.reduce((most, fact) => {
    if (fact.type === 'experiment.prepared') working.add(fact.payload.candidate);
    if (fact.type === 'child.settled') working.delete(fact.payload.lane ?? '');
    return Math.max(most, working.size);
  }, 0);
}

const sumOf = (costs: PhaseCosts) => PHASE_NAMES.reduce((sum, phase) => sum + costs[phase], 0);

testInTurn(
  'I4 a night exceeds its budget by one estimate error a call in flight; its phases cost its total',
  async () => {
    const endings = new Set<string>();
    let erring = 0;
    let atOnce = 0;
    for (let index = 0; index < tenthOfMany(NIGHTS); index += 1) {
      const night = new ScriptedNight(seed + index, { most: 5, tried: 5 });
      const maxParallel = index % 2 === 0 ? 1 : 2 + Math.floor(night.draw('parallel') * 3);
      const maxTokens = 30_000 + Math.floor(night.draw('budget') * 250_000);
      const estimateTokens = 4_000 + Math.floor(night.draw('estimate') * 60_000);
      const { outcome, total, past, facts, all } = await played(night, {
        maxTokens,
        maxIterations: 1 + Math.floor(night.draw('iterations') * 4),
        options: { phases: { experiment: { estimateTokens, maxParallel } } },
      });
      const errors = [...night.errors, ...errorsOf(all)].filter((one) => one > 0).toSorted((a, b) => b - a);
      // An evaluation beside them has no reservation.
      const error = errors.slice(0, maxParallel + 1).reduce((sum, one) => sum + one, 0);
      expect(total).toBeLessThanOrEqual(maxTokens + error);
      expect(past.spent.cost.total).toBe(total);
      expect(sumOf(past.spent.cost)).toBe(total);
      expect(all.reduce((sum, fact) => sum + usageIn(fact), 0)).toBe(total);
      for (const { cost } of past.iterations()) expect(sumOf(cost)).toBe(cost.total);
      const outside = facts
        .filter(({ type }) => type === 'summary.written')
        .reduce((sum, one) => sum + usageIn(one), 0);
      const within = past.iterations().reduce((sum, { cost }) => sum + cost.total, 0);
      expect([total, total - outside]).toContain(within);
      endings.add(outcome.ending);
      erring += error > 0 ? 1 : 0;
      atOnce = Math.max(atOnce, mostAtOnce(facts));
    }
    // A tenth may happen to have no night that gives up.
    expect([...endings]).toEqual(expect.arrayContaining(['success', 'budget', ...(takesAll ? ['doom_loop'] : [])]));
    // What is bounded does happen.
    expect(erring).toBeGreaterThan(0);
    expect(atOnce).toBeGreaterThan(1);
  },
);

test('I4 an experiment that uses more than is left exceeds the budget once, and nothing begins after it', async () => {
  const night = new ScriptedNight(seed, { exactly: 60_000 });
  const options = { phases: { experiment: { estimateTokens: 20_000 } } };
  const { outcome, total, facts } = await played(night, { maxTokens: 40_000, maxIterations: 10, options });
  expect(total).toBe(60_000);
  expect(facts.filter(({ type }) => type === 'experiment.started')).toHaveLength(1);
  expect(outcome).toMatchObject({ ending: 'budget', limit: { name: 'tokens', used: 60_000, limit: 40_000 } });
});

test('I4 a budget of 250,000 has room for two experiments that are estimated at 100,000, and use it', async () => {
  const night = new ScriptedNight(seed, { exactly: 100_000 });
  const { outcome, total, facts } = await played(night, { maxTokens: 250_000, maxIterations: 10 });
  expect(facts.filter(({ type }) => type === 'experiment.started')).toHaveLength(2);
  expect(total).toBe(200_000);
  expect(outcome).toMatchObject({ ending: 'budget', limit: { name: 'tokens', used: 200_000, limit: 250_000 } });
});

const LONG = { maxIterations: 200, maxTokens: 'none', options: { terminationRules: [] } } satisfies Partial<RunOptions>;
const SHORT = { ...LONG, maxIterations: 3 };

/** What counts of a night: how it ended, and what it has kept. */
const keptIn = (facts: readonly Seen[]) => ({
  kept: facts.flatMap((fact) => (fact.type === 'integration.completed' ? [fact.payload.candidate] : [])),
  iterations: facts.filter(({ type }) => type === 'iteration.started').length,
  ending: facts.flatMap((fact) => (fact.type === 'decision.made' ? [fact.payload.sink?.ending ?? null] : [])).at(-1),
});

interface Crash {
  /** 1-based. With none, the night is over before. */
  readonly append: number;
  readonly when: 'before' | 'after';
}

/** The same night in a process that dies at an append, and then in another one: its facts, and how many appends. */
async function crashed({ append, when }: Crash, asked: Partial<RunOptions>, how = {}, drawn = seed) {
  const clock = fakeClock();
  const log = memoryLog({ now: clock.now });
  const died = Promise.withResolvers<void>();
  let appends = 0;
  const dying: Log = aroundAppend(log, async (request, goesOn) => {
    appends += 1;
    if (appends < append) return goesOn(request);
    if (appends === append && when === 'after') await goesOn(request);
    died.resolve();
    return never();
  });
  const live = playing(new ScriptedNight(drawn, how), { log: dying, clock }).start(asked);
  await Promise.race([died.promise, live.then(ended)]);
  clock.advance(MINUTE);
  const [{ run = '', closed = null } = {}] = (await log.runs()).filter(({ parentEffect }) => parentEffect === null);
  if (closed === null) await ended(await playing(new ScriptedNight(drawn, how), { log, clock }).resume(run));
  return { facts: await history(log, run), appends };
}

const UNDISTURBED: Crash = { append: Infinity, when: 'before' };

test('I4 I8 a night that dies before or after any commit keeps the same when it is resumed, each once', async () => {
  const { facts, appends } = await crashed(UNDISTURBED, SHORT);
  const points = Array.from({ length: appends - 1 }, (_, index) => index + 2);
  for (const append of tenthOf(points))
    for (const when of ['before', 'after'] as const) {
      const again = await crashed({ append, when }, SHORT);
      expect({ append, when, ...keptIn(again.facts) }).toEqual({ append, when, ...keptIn(facts) });
    }
});

const MOST_DRAWN = 50;
const AT_ONCE = {
  ...SHORT,
  options: { terminationRules: [], phases: { experiment: { maxParallel: 3 } } },
} satisfies Partial<RunOptions>;

/** The first night, from the seed on, that has several experiments at once: in some, one is found at a time. */
async function nightAtOnce(how: ConstructorParameters<typeof ScriptedNight>[1]) {
  for (let drawn = seed; drawn < seed + MOST_DRAWN; drawn += 1) {
    const night = await crashed(UNDISTURBED, AT_ONCE, how, drawn);
    if (mostAtOnce(night.facts) > 1) return { ...night, drawn };
  }
  throw new Error(`no night of ${MOST_DRAWN} has several experiments at once`);
}

testInTurn('I4 a night of several experiments at once that dies before or after any commit ends whole', async () => {
  const how = { most: 4, tried: 4 };
  const { facts, appends, drawn } = await nightAtOnce(how);
  const points = Array.from({ length: appends - 1 }, (_, index) => index + 2);
  for (const append of tenthOf(points))
    for (const when of ['before', 'after'] as const) {
      const again = await crashed({ append, when }, AT_ONCE, how, drawn);
      expect({ append, when, ...keptIn(again.facts) }).toEqual({ append, when, ...keptIn(facts) });
      // Nothing is evaluated that is not built, and no experiment has two results.
      const settled = again.facts.flatMap((fact) => (fact.type === 'child.settled' ? [fact.payload.child] : []));
      expect(new Set(settled).size).toBe(settled.length);
    }
});

test('I2 I4 a night of 200 iterations is folded at every event, and resumed after a crash', async () => {
  const how = { most: 1 };
  const { facts, appends } = await crashed(UNDISTURBED, LONG, how);
  const [started, ...rest] = facts;
  expect(keptIn(facts)).toMatchObject({ iterations: LONG.maxIterations, ending: 'success' });
  const opened = open(started as never);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  let { state } = opened;
  for (const fact of rest) {
    // Wherever the log ends, something is left that goes on, or it is over.
    expect(state.outstanding.length).toBeGreaterThan(0);
    state = fold(state, fact as never);
  }
  expect(hasEnded(state)).toBe(true);
  expect((lifeOf(state) as ImprovementContext).iterations).toBe(LONG.maxIterations);
  for (let index = 0; index < tenthOfMany(10); index += 1) {
    const append = 2 + Math.floor(new ScriptedNight(seed + index).draw('append') * (appends - 2));
    const again = await crashed({ append, when: 'after' }, LONG, how);
    expect({ append, ...keptIn(again.facts) }).toEqual({ append, ...keptIn(facts) });
  }
});
