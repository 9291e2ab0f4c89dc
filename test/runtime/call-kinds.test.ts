import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../machines/outcome.ts';
import type { RunOptions } from '../../src/config/options.ts';
import type { VerifyInput } from '../../src/actors/verify/verify-actor.ts';
import type { Check } from '../../machines/settings.ts';
import { createHarness } from '../support/harness.ts';
import { capturing, verifying } from '../support/stand-ins.ts';

const checks: NonNullable<RunOptions['checks']> = [
  { level: 'L0', name: 'types', command: 'tsc' },
  { level: 'L1', name: 'unit', command: 'npm test' },
  { level: 'L1', name: 'docs', command: 'npm run docs' },
];

interface Play {
  /** The answer of each attempt, the last one for ever. */
  readonly says?: readonly string[];
  /** The tree that each attempt leaves, the last one for ever; each another one if not said. */
  readonly leaves?: readonly string[];
  /** Whether a check passes on a tree. Nothing does if not said. */
  readonly passes?: (check: Check, tree: string) => boolean;
  readonly ci?: boolean;
}

const OTHERS = [
  'alpha beta',
  'gamma delta',
  'epsilon zeta',
  'eta theta',
  'iota kappa',
  'lambda mu',
  'nu xi',
  'pi rho',
  'sigma tau',
  'phi chi',
];

/** A run under a strategy alone: no detector stops it first. */
async function led(
  strategy: RunOptions['strategy'],
  { says = OTHERS, leaves = [], passes = () => false, ci }: Play,
  more: Partial<RunOptions> = {},
) {
  const verify = verifying((check, { workspace }) => passes(check, workspace ?? ''));
  const harness = createHarness({
    model: ({ iteration }) => ({ text: says[iteration] ?? says.at(-1) ?? '' }),
    services: {
      capture: capturing(...leaves),
      verify:
        ci === undefined ? verify : { ...verify, execute: (input, call) => withCi(verify.execute(input, call), ci) },
    },
  });
  const { facts, outcome, run } = await harness.play({
    checks,
    strategy,
    detectors: 'off',
    ...more,
  } as Partial<RunOptions>);
  const decisions = facts.filter((fact) => fact.type === 'decision.made').map(({ payload }) => payload);
  return {
    facts,
    outcome,
    run,
    decisions,
    iterations: facts.filter(({ type }) => type === 'iteration.started').length,
  };
}

async function* withCi(events: ReturnType<ReturnType<typeof verifying>['execute']>, passed: boolean) {
  for await (const event of events) {
    if (event.type !== 'verification.completed') yield event;
    else yield { ...event, payload: { ...event.payload, ci: { passed, output: '', exitCode: 0, durationMs: 1 } } };
  }
}

const cap = (limit: number): Outcome => ({ ending: 'cap_hit', limit: { name: 'iterations', used: limit, limit } });
const unverified = { ending: 'success', verified: null, partial: false };
/** The events that say how iterations went: the verification of each. */
const verifications = (facts: Awaited<ReturnType<typeof led>>['facts'], run: string) =>
  facts.filter(({ type }) => type === 'verification.completed').map(({ version }) => `${run}/${version}`);

describe('L7 L8 L9 L10 hybrid leads a run to each of its endings', () => {
  test('L7 verified, as soon as all checks pass', async () => {
    const { outcome, iterations } = await led('hybrid', { passes: (_check, tree) => tree === 'tree-2' });
    expect(outcome).toMatchObject({ ending: 'success', verified: { workspace: 'tree-2' }, partial: false });
    expect(iterations).toBe(2);
  });

  test('L7 at its cap, when every bonus iteration was progress', async () => {
    const order = ['types', 'unit', 'docs'];
    const passes = ({ name }: Check, tree: string) => order.indexOf(name) < Number(tree.slice(-1)) - 1;
    const { outcome, iterations } = await led({ name: 'hybrid', config: { baseIterations: 1 } }, { passes });
    expect(iterations).toBe(3);
    expect(outcome).toEqual(cap(3));
  });

  test('L7 without progress, after its base iterations, with the events that show it', async () => {
    const { outcome, iterations, facts, run } = await led('hybrid', { passes: ({ level }) => level === 'L0' });
    expect(iterations).toBe(3);
    const [, second, third] = verifications(facts, run);
    expect(outcome).toEqual({
      ending: 'doom_loop',
      finding: {
        detector: 'no-progress',
        level: 'stop',
        count: 2,
        message: 'no progress since iteration 2',
        evidence: [second, third],
      },
    });
  });

  test('L9 in a circle, though base iterations are left', async () => {
    const { outcome, iterations, decisions, facts, run } = await led(
      { name: 'hybrid', config: { baseIterations: 9 } },
      { leaves: ['a', 'b'] },
    );
    expect(iterations).toBe(4);
    expect(outcome).toMatchObject({
      ending: 'doom_loop',
      finding: { detector: 'content-hash', count: 3, evidence: verifications(facts, run).slice(1) },
    });
    expect(decisions.at(-1)?.strategy).toMatchObject({ name: 'hybrid', metadata: { loopCount: 1 } });
  });

  test.each([
    ['agent_signal', { says: ['still at it', 'TASK_COMPLETE'] }],
    ['no_changes', { leaves: ['a', 'a'] }],
    ['ci_pass', { ci: true }],
  ] satisfies [string, Play][])('L8 unverified by %s, where nothing is checked', async (criterion, play) => {
    const ci = criterion === 'ci_pass' ? { ci: 'gh run view' } : {};
    const { outcome, decisions } = await led('hybrid', play, { checks: [], loop: 'iteration', ...ci });
    expect(outcome).toEqual(unverified);
    expect(decisions.at(-1)?.strategy?.metadata).toMatchObject({ criterion });
  });

  test('L8 no criterion makes a success of failed checks', async () => {
    const { outcome } = await led(
      'hybrid',
      { says: ['TASK_COMPLETE'], leaves: ['a'], ci: true },
      { ci: 'gh run view' },
    );
    expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'content-hash' } });
  });

  test('L8 a claim in the last iteration is a success, not a cap', async () => {
    const { outcome, iterations } = await led(
      'hybrid',
      { says: ['a', 'b', 'TASK_COMPLETE'] },
      { checks: [], maxIterations: 3 },
    );
    expect([iterations, outcome]).toEqual([3, unverified]);
  });

  test('L10 with the best partial result if allowed: which, where it is kept, and what it fails', async () => {
    const { outcome, iterations, run, decisions, facts } = await led(
      { name: 'hybrid', config: { acceptPartialAfter: 3 } },
      { passes: ({ name }, tree) => name === 'types' || (tree === 'tree-2' && name === 'unit') },
    );
    expect(iterations).toBe(3);
    expect(outcome).toEqual({
      ending: 'success',
      verified: null,
      partial: true,
      accepted: { iteration: 1, workspace: 'tree-2', ref: `refs/loopfold/${run}/2`, failing: ['L1/docs'] },
    });
    expect(decisions.at(-1)?.reason).toContain('L1/docs');
    expect(decisions.at(-1)?.evidence).toEqual(verifications(facts, run).slice(1, 2));
  });

  test('L10 at the run’s own cap too, and not before so many iterations', async () => {
    const config = { acceptPartialAfter: 2 };
    const accepted = await led({ name: 'hybrid', config }, {}, { maxIterations: 2 });
    expect(accepted.outcome).toMatchObject({
      ending: 'success',
      partial: true,
      accepted: { iteration: 1, failing: ['L0/types'] },
    });
    expect(
      (await led({ name: 'hybrid', config: { acceptPartialAfter: 3 } }, {}, { maxIterations: 2 })).outcome,
    ).toEqual(cap(2));
  });
});

describe('L11 L12 ralph leads a run to each of its endings', () => {
  test('L11 verified at once, whatever the minimum', async () => {
    const { outcome, iterations } = await led({ name: 'ralph', config: { minIterations: 5 } }, { passes: () => true });
    expect([iterations, outcome]).toEqual([
      1,
      expect.objectContaining({ ending: 'success', verified: expect.anything() }),
    ]);
  });

  test('L11 with the agent’s word, where nothing is checked', async () => {
    const { outcome, iterations } = await led(
      'ralph',
      { says: ['DONE', 'gamma', 'It is finished.\n\nDONE.'] },
      { checks: [] },
    );
    expect([iterations, outcome]).toEqual([3, unverified]);
  });

  test('L11 its word over failed checks ends nothing', async () => {
    const { outcome, iterations } = await led(
      'ralph',
      { says: OTHERS.map((words) => `${words}.\n\nDONE`) },
      { maxIterations: 4 },
    );
    expect([iterations, outcome]).toEqual([4, cap(4)]);
  });

  test('L11 after ten iterations by default', async () => {
    const { outcome, iterations } = await led('ralph', {});
    expect([iterations, outcome]).toEqual([10, cap(10)]);
  });

  test('L11 converged: the same failures, and nearly the same answers', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const { outcome, facts, run } = await led('ralph', {
      says: ['alpha', `${words} one`, `${words} two`, `${words} three`],
    });
    expect(outcome).toMatchObject({
      ending: 'doom_loop',
      finding: { detector: 'convergence', count: 3, evidence: verifications(facts, run).slice(1) },
    });
  });

  test('L12 repeating itself while the results change', async () => {
    const passes = ({ name }: Check, tree: string) => (tree === 'tree-2' ? name === 'types' : false);
    const { outcome } = await led('ralph', { says: ['I am working on it.'], passes });
    expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'similar-output', count: 3 } });
  });

  test('L11 without verification no check is run, and a success is unverified', async () => {
    const asked: VerifyInput['checks'][] = [];
    const verify = verifying(() => false);
    const harness = createHarness({
      model: ({ iteration }) => ({ text: iteration === 0 ? 'alpha' : 'DONE' }),
      services: {
        verify: { ...verify, execute: (input, call) => (asked.push(input.checks), verify.execute(input, call)) },
      },
    });
    const { outcome, facts } = await harness.play({
      checks,
      strategy: { name: 'ralph', config: { skipVerification: true } },
    });
    expect(asked).toEqual([[], []]);
    expect(outcome).toEqual(unverified);
    expect(facts.findLast(({ type }) => type === 'decision.made')?.payload).toMatchObject({
      reason: expect.stringContaining('the agent said DONE'),
    });
  });
});

describe('L20 what a strategy knows comes from the log', () => {
  test('L20 its metadata is in every decision on an iteration', async () => {
    const { decisions } = await led('hybrid', {});
    expect(decisions.slice(1).map(({ strategy }) => strategy?.metadata)).toMatchObject([
      { contentHashes: [expect.any(String)], loopCount: 0 },
      { contentHashes: [expect.any(String), expect.any(String)], loopCount: 0 },
      { contentHashes: { length: 3 }, loopCount: 0, progress: 0 },
    ]);
  });
});
