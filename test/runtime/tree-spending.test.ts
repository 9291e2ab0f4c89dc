import { expect, test } from 'vitest';
import { usageOf } from '../../machines/life.ts';
import { addSpend, NO_SPEND, type Spend } from '../../machines/outcome.ts';
import type { ModelRequest } from '../../src/actors/model/model.ts';
import type { ScriptedAnswer } from '../../src/actors/model/script.ts';
import type { Log } from '../../src/log/log.ts';
import { lifeOf } from '../../src/kernel/fold.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { boundReport, rankingOf } from '../../src/termination/bound.ts';
import { isExternal } from '../../src/termination/life-left.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { fc } from '../support/fast-check.ts';
import { delegateCall, taskIn } from '../support/delegation.ts';
import { createHarness } from '../support/harness.ts';
import type { ObservedRun, Seen } from '../support/observers.ts';
import { history } from '../support/run-history.ts';
import { seed } from '../support/seed.ts';
import { takesAll, tenthOfMany } from '../support/tenth.ts';
import { never, note, settled, tool, untilStopped, verdicts } from '../support/stand-ins.ts';

const TREES = tenthOfMany(120);
/** Longer than any grace, or shorter than the head start that a child has. */
const LEAPS_MS = [1_000, 60_000];

const KINDS = [
  'done',
  'note',
  'hands one over',
  'hands two over',
  'slow',
  'slow beside work',
  'stuck beside work',
  'fails',
] as const;

const story = fc.record({
  loop: fc.constantFrom('turn' as const, 'iteration' as const),
  says: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 8 }),
  passes: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
  limited: fc.constantFrom({ maxTokens: 9_000 }, { maxTokens: 1_500 }, { maxTokens: 'none' as const }),
  /** After so many facts of the whole tree. */
  after: fc.nat(40),
  meanwhile: fc.constantFrom('nothing', 'the run is aborted', 'a child is aborted', 'it is paused and resumed'),
  leapMs: fc.constantFrom(...LEAPS_MS),
});
type Story = typeof story extends fc.Arbitrary<infer Told> ? Told : never;

test('spending is conserved in whole trees: a parent adds its child’s report; no tree outgrows its bound', async () => {
  const met = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const { log, root } = await lived(told);
      await staysWithinItsBound(log, root);
      for (const what of await conserved(log, root)) met.set(what, (met.get(what) ?? 0) + 1);
    }),
    { numRuns: TREES, seed },
  );
  // A tenth is too few to tell what is rare.
  if (!takesAll) return;
  const rare = ['attempt', 'delegated', 'delegated on', 'aborted', 'given up'].filter(
    (what) => (met.get(what) ?? 0) < 3,
  );
  expect(rare.map((what) => `${what} is rare in ${JSON.stringify(Object.fromEntries(met))}`)).toEqual([]);
});

/** A tree of runs, served to its end by the real runtime. */
async function lived({
  loop,
  says,
  passes,
  limited,
  after,
  meanwhile,
  leapMs,
}: Story): Promise<{ log: Log; root: string }> {
  const clock = fakeClock();
  const answer = (request: ModelRequest): ScriptedAnswer => answerOf(says, request);
  const tools = [note, untilStopped('slow'), tool('stuck', async () => never(), { timeoutMs: 1e9 })];
  const harness = (log?: Log) =>
    createHarness({ clock, tools, model: answer, services: { verify: verdicts(...passes) }, ...(log ? { log } : {}) });
  const { log, start } = harness();
  const offered = ['delegate', ...tools.map(({ name }) => name)];
  const checks = loop === 'iteration' ? ['true'] : [];
  const caps = { maxSteps: 9, maxToolCalls: 14, maxIterations: 2, maxTime: '10m', graceMs: 8_000, ...limited };
  const live = await start({ loop, checks, tools: offered, ...caps });
  await untilFacts(live, after, clock, leapMs);
  if (meanwhile === 'the run is aborted') await live.abort();
  if (meanwhile === 'a child is aborted') await abortAChild(log, live, harness(log));
  if (meanwhile === 'it is paused and resumed') {
    const paused = live.pause('user').catch(() => {});
    await overIn(live, clock, leapMs);
    await paused;
    if ((await log.run(live.run))?.closed === null) await overIn(await harness(log).resume(live.run), clock, leapMs);
  }
  await overIn(live, clock, leapMs);
  return { log, root: live.run };
}

async function abortAChild(
  log: Log,
  { run }: ObservedRun,
  { supervisor }: ReturnType<typeof createHarness>,
): Promise<void> {
  const child = (await log.runs()).find((one) => one.run !== run && one.closed === null);
  if (child) await supervisor.send(child.run, { type: 'abort.requested', payload: { cause: 'user', reason: null } });
}

async function untilFacts({ observer }: ObservedRun, many: number, clock: FakeClock, leapMs: number): Promise<void> {
  for (let tries = 0; observer.facts.length < many && tries < 3; tries += 1) await settled();
  if (observer.facts.length === 0) clock.advance(leapMs);
}

/** Time goes on until it is over. */
async function overIn({ done }: Pick<ObservedRun, 'done'>, clock: FakeClock, leapMs: number): Promise<void> {
  let isOver = false;
  void done.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await settled();
    clock.advance(leapMs);
  }
}

/** The same answer to the same request, of any run, and again after a pause. */
function answerOf(says: Story['says'], request: ModelRequest): ScriptedAnswer {
  const task = taskIn(request);
  const sum = [...task].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 9_973, request.step);
  const usage = { inputTokens: 40 + (sum % 60), outputTokens: 1 + (sum % 20) };
  const hand = (part: string) => delegateCall(`${task.slice(-60)} ${part}`);
  switch (says[(sum + request.iteration) % says.length]) {
    case 'note':
      return { calls: [{ tool: 'note', arguments: { step: request.step } }], usage };
    case 'hands one over':
      return { calls: [hand(`${request.step}`)], usage };
    case 'hands two over':
      return { calls: [hand(`${request.step}a`), hand(`${request.step}b`), { tool: 'note' }], usage };
    case 'slow':
      return { calls: [{ tool: 'slow' }], usage };
    case 'slow beside work':
      return { calls: [{ tool: 'slow' }, hand('beside')], usage };
    case 'stuck beside work':
      return { calls: [{ tool: 'stuck' }, hand('beside')], usage };
    case 'fails':
      return { error: { code: 'down', message: 'out of order' }, usage };
    default:
      return { text: 'done', usage };
  }
}

/** As it is told to people who ask for it before they start. */
async function staysWithinItsBound(log: Log, root: string): Promise<void> {
  const runs = await log.runs();
  const logs = await Promise.all(runs.map(({ run }) => history(log, run)));
  const [started] = await history(log, root);
  if (started?.type !== 'run.started') throw new Error('nothing has been started');
  const { tree } = boundReport(started.payload.settings, shippedLoops);
  expect(runs.length).toBeLessThanOrEqual(tree.runs);
  const own = logs.flat().filter((fact) => !isExternal(fact, rankingOf(turnLoop))).length;
  // The first fact of the tree itself is not one of them.
  expect(own - 1).toBeLessThanOrEqual(tree.events);
}

/** By the logs alone, at every level; and by what each of them folds to. Says what it has met. */
async function conserved(log: Log, root: string): Promise<string[]> {
  const met: string[] = [];
  const all = await log.runs();
  const logs = new Map(await Promise.all(all.map(async ({ run }) => [run, await history(log, run)] as const)));
  for (const { run, parentEffect } of all) {
    const facts = logs.get(run) ?? [];
    const brought = facts.flatMap((fact) => (fact.type === 'child.settled' ? [fact.payload] : []));
    for (const { child, spend } of brought)
      expect(known(spend), `what ${child} has spent`).toEqual(total(logs.get(child) ?? []));
    const folded = await rebuild(log, run);
    if (folded.kind !== 'loaded') throw new Error(folded.kind);
    expect(known(lifeOf(folded.state).spend), `what ${run} has spent`).toEqual(total(facts));
    // Each child comes back once, or is charged for as lost.
    const children = all.filter(({ parentEffect: by }) => by?.startsWith(`${run}/`)).map((one) => one.run);
    const back = brought.map(({ child }) => child);
    expect(new Set(back).size).toBe(back.length);
    expect(children).toEqual(expect.arrayContaining(back));
    const lost = children.filter((child) => !back.includes(child));
    const charged = ownOf(facts.filter(isGivenUp));
    const used = lost.map((child) => total(logs.get(child) ?? [])).reduce(addSpend, NO_SPEND);
    const isLimited = lifeOf(folded.state).limits.maxTokens !== null;
    if (lost.length > 0 && isLimited)
      expect(tokensIn(charged), `what ${run} charges for ${lost.join()}`).toBeGreaterThanOrEqual(tokensIn(used));
    if (lost.length > 0) met.push('given up');
    if (brought.some(({ outcome }) => outcome.ending === 'abort')) met.push('aborted');
    const isFarDown = run !== root && parentEffect?.startsWith(`${root}/`) === false;
    if (brought.some(({ callId }) => callId === undefined)) met.push('attempt');
    if (brought.some(({ callId }) => callId !== undefined)) met.push(isFarDown ? 'delegated on' : 'delegated');
  }
  return met;
}

const isGivenUp = ({ type, payload }: Seen): boolean =>
  type === 'tool.interrupted' || type === 'effect.interrupted' || (type === 'timer.fired' && payload.timer === 'grace');

/** Its own, and what its children have brought. */
const total = (facts: readonly Seen[]): Spend =>
  facts.reduce(
    (sum, fact) => (fact.type === 'child.settled' ? addSpend(sum, known(fact.payload.spend)) : sum),
    ownOf(facts),
  );

function ownOf(facts: readonly Seen[]): Spend {
  return facts.reduce((sum, fact) => {
    const usage = usageOf(fact as never) ?? { inputTokens: 0, outputTokens: 0 };
    const { inputTokens, outputTokens, estimated } = usage;
    const steps = fact.type === 'step.started' ? 1 : 0;
    const toolCalls = fact.type === 'calls.admitted' ? fact.payload.run.length : 0;
    return addSpend(sum, {
      inputTokens,
      outputTokens,
      steps,
      toolCalls,
      estimatedTokens: estimated ? inputTokens + outputTokens : 0,
    });
  }, known(NO_SPEND));
}

const known = ({ estimatedTokens = 0, ...spend }: Spend): Spend => ({ ...spend, estimatedTokens });
const tokensIn = ({ inputTokens, outputTokens }: Pick<Spend, 'inputTokens' | 'outputTokens'>): number =>
  inputTokens + outputTokens;
