import { describe, expect, test } from 'vitest';
import {
  abandon,
  type Account,
  closeChild,
  heldOf,
  leftOf,
  NOTHING,
  openAccount,
  openChild,
  reserve,
  settle,
  spentOf,
} from '../../src/budget/account.ts';
import { fc } from '../support/fast-check.ts';

const CAP = 250_000;
const ESTIMATE = 100_000;

/** The cost of one experiment, or null where it can never be known. */
type Ended = number | null;

/**
 * Up to `parallel` experiments at a time, ended in any order, until no more is allowed or wanted. Returns every state
 * on the way.
 */
function driven(
  cap: number,
  parallel: number,
  endings: readonly Ended[],
  order: readonly number[],
): readonly Account[] {
  let account = openAccount({ tokens: cap });
  const states = [account];
  const running: { id: string; cost: Ended }[] = [];
  const waiting = endings.map((cost, index) => ({ id: `e${index}`, cost }));
  for (let turn = 0; waiting.length > 0 || running.length > 0; turn += 1) {
    const [next] = waiting;
    const reserved =
      next && running.length < parallel ? reserve(account, next.id, { tokens: ESTIMATE }, 'experiment') : null;
    if (next && reserved?.kind === 'reserved') {
      account = reserved.account;
      running.push(...waiting.splice(0, 1));
    } else {
      const [ended] = running.splice((order[turn % Math.max(1, order.length)] ?? 0) % Math.max(1, running.length), 1);
      if (!ended) break;
      account = ended.cost === null ? abandon(account, ended.id) : settle(account, ended.id, { tokens: ended.cost });
    }
    states.push(account);
  }
  return states;
}

/** The loop as the document prints it: the check reads a total that is zero until the end. */
function documentsLoop(budgetTokens: number, candidates: number): number {
  const costs = { discovery: 10_000, filter: candidates * 1_000, experiment: 0, evaluate: 0, integrate: 0, total: 0 };
  const totalCostTokens = 0;
  for (let candidate = 0; candidate < candidates; candidate += 1) {
    if (totalCostTokens + costs.total > budgetTokens) break;
    costs.experiment += ESTIMATE;
  }
  costs.total = costs.discovery + costs.filter + costs.experiment + costs.evaluate + costs.integrate;
  return costs.total;
}

describe('I4 reserve before, settle after', () => {
  test('I4 the loop of the document spends 2,030,000 of 250,000; an account stops it in time', () => {
    expect(documentsLoop(CAP, 20)).toBe(2_030_000);
    let account = openAccount({ tokens: CAP });
    const phases = [
      ['discovery', 10_000],
      ['filter', 20_000],
      ...Array.from({ length: 20 }, () => ['experiment', ESTIMATE] as const),
    ] as const;
    for (const [index, [phase, tokens]] of phases.entries()) {
      const reserved = reserve(account, `${phase}.${index}`, { tokens }, phase);
      if (reserved.kind === 'refused') {
        expect(reserved.limit).toEqual({ name: 'tokens', used: 230_000, limit: CAP, next: ESTIMATE });
        break;
      }
      account = settle(reserved.account, `${phase}.${index}`, { tokens });
    }
    expect(spentOf(account).tokens).toBe(230_000);
    expect(spentOf(account, 'experiment').tokens).toBe(2 * ESTIMATE);
  });

  test.each([1, 10, 50])(
    'I4 experiments of at most their estimate never spend more than the cap: %i at a time',
    (parallel) =>
      fc.assert(
        fc.property(
          fc.array(fc.option(fc.nat(ESTIMATE)), { maxLength: 60 }),
          fc.array(fc.nat(), { maxLength: 20 }),
          (endings, order) => {
            for (const account of driven(CAP, parallel, endings, order)) {
              expect(spentOf(account).tokens + heldOf(account).tokens).toBeLessThanOrEqual(CAP);
            }
          },
        ),
      ),
  );

  test('I4 one at a time, the cap is passed by no more than the error of one estimate', () =>
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(3 * ESTIMATE)), { maxLength: 60 }), (endings) => {
        const worst = Math.max(0, ...endings.map((cost) => (cost ?? 0) - ESTIMATE));
        const end = driven(CAP, 1, endings, []).at(-1);
        expect(end && spentOf(end).tokens).toBeLessThanOrEqual(CAP + worst);
      }),
    ));

  test.each([10, 50])('I4 %i at a time, those under way are all that can be wrong', (parallel) =>
    fc.assert(
      fc.property(
        fc.array(fc.nat(3 * ESTIMATE), { maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (endings, order) => {
          const states = driven(CAP, parallel, endings, order);
          const atOnce = Math.max(...states.map(({ held }) => Object.keys(held).length));
          const worst = Math.max(0, ...endings.map((cost) => cost - ESTIMATE));
          const end = states.at(-1);
          expect(atOnce).toBeLessThanOrEqual(Math.floor(CAP / ESTIMATE));
          expect(end && spentOf(end).tokens).toBeLessThanOrEqual(CAP + atOnce * worst);
        },
      ),
    ),
  );

  test('I4 what is abandoned keeps its reservation as spent', () => {
    const reserved = reserve(openAccount({ tokens: CAP }), 'e', { tokens: ESTIMATE });
    const account = reserved.kind === 'reserved' ? abandon(reserved.account, 'e') : null;
    expect(account && spentOf(account).tokens).toBe(ESTIMATE);
    expect(account && leftOf(account)).toEqual({
      steps: null,
      toolCalls: null,
      tokens: CAP - ESTIMATE,
      nanoUsd: null,
      timeMs: null,
    });
  });

  test('I4 any cap may be the one without room, and a phase has its own', () => {
    const account = openAccount({ nanoUsd: 10, steps: 3, toolCalls: 2 }, { summary: { tokens: 5 } });
    expect(reserve(account, 'a', { nanoUsd: 11, steps: 1 })).toMatchObject({
      limit: { name: 'cost_nano_usd', used: 0, limit: 10, next: 11 },
    });
    expect(reserve(account, 'a', { steps: 4, toolCalls: 9 })).toMatchObject({ limit: { name: 'steps' } });
    expect(reserve(account, 'a', { tokens: 6 }, 'summary')).toMatchObject({
      limit: { name: 'tokens', used: 0, limit: 5, next: 6 },
    });
    expect(reserve(account, 'a', { tokens: 6 }).kind).toBe('reserved');
    expect(reserve(openAccount({ timeMs: 5 }), 'a', { timeMs: 6 })).toMatchObject({ limit: { name: 'time_ms' } });
  });

  test('I4 what costs nothing of a thing has room even where nothing of it is left', () => {
    expect(reserve(openAccount({ tokens: 0, steps: 1 }), 'a', { steps: 1 }).kind).toBe('reserved');
    const reserved = reserve(openAccount({ tokens: 1, steps: 1 }), 'a', { tokens: 1 });
    if (reserved.kind === 'refused') throw new Error('there is room');
    expect(reserve(settle(reserved.account, 'a', { tokens: 2 }), 'b', { steps: 1 }).kind).toBe('reserved');
  });

  test('I4 an id is reserved for once, and settled once', () => {
    const reserved = reserve(openAccount({ tokens: 5 }), 'a', { tokens: 1 });
    if (reserved.kind === 'refused') throw new Error('there is room');
    expect(() => reserve(reserved.account, 'a', { tokens: 1 })).toThrow('a has reserved already');
    const settled = settle(reserved.account, 'a', { tokens: 1 });
    expect(() => settle(settled, 'a', { tokens: 1 })).toThrow('a has reserved nothing');
  });
});

const amounts = fc.record({ tokens: fc.nat(60_000), nanoUsd: fc.nat(1_000), steps: fc.nat(3) });
const phases = fc.constantFrom('answers', 'children', 'summary');

describe('an account and those below it', () => {
  test('the phases sum to the total', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(phases, amounts), { maxLength: 30 }), (works) => {
        let account = openAccount({});
        for (const [index, [phase, amount]] of works.entries()) {
          const reserved = reserve(account, `${index}`, { tokens: 1 }, phase);
          if (reserved.kind === 'reserved') account = settle(reserved.account, `${index}`, amount);
        }
        const sum = (unit: 'tokens' | 'nanoUsd' | 'steps') =>
          works.reduce((total, [, amount]) => total + amount[unit], 0);
        expect(spentOf(account)).toEqual({
          ...NOTHING,
          tokens: sum('tokens'),
          nanoUsd: sum('nanoUsd'),
          steps: sum('steps'),
        });
        const byPhase = ['answers', 'children', 'summary'].reduce(
          (total, phase) => total + spentOf(account, phase).tokens,
          0,
        );
        expect(byPhase).toBe(spentOf(account).tokens);
      }),
    ));

  test.each([1, 10, 50])('a parent spends what its children spend, never more than its cap: %i children', (children) =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(4_000), { maxLength: 5 }), { minLength: children, maxLength: children }),
        (works) => {
          const share = Math.floor(CAP / children);
          let parent = openAccount({ tokens: CAP });
          const open = works.map((costs, index) => {
            const opened = openChild(parent, `child.${index}`, { tokens: share }, 'children');
            if (opened.kind === 'refused') throw new Error('every share has room');
            parent = opened.account;
            return { costs, child: opened.child };
          });
          expect(openChild(parent, 'one more', { tokens: CAP }).kind).toBe('refused');
          let total = 0;
          for (const [index, { costs, child }] of open.entries()) {
            let account = child;
            for (const [n, cost] of costs.entries()) {
              const reserved = reserve(account, `call.${n}`, { tokens: 4_000 });
              if (reserved.kind === 'reserved') account = settle(reserved.account, `call.${n}`, { tokens: cost });
            }
            expect(spentOf(account).tokens).toBeLessThanOrEqual(share);
            total += spentOf(account).tokens;
            parent = closeChild(parent, `child.${index}`, account);
          }
          expect(spentOf(parent).tokens).toBe(total);
          expect(heldOf(parent)).toEqual(NOTHING);
          expect(total).toBeLessThanOrEqual(CAP);
        },
      ),
    ),
  );

  test('an abandoned child costs its full share, one that left a call open costs its reservation', () => {
    const opened = openChild(openAccount({ tokens: CAP }), 'child', { tokens: ESTIMATE });
    if (opened.kind === 'refused') throw new Error('there is room');
    expect(spentOf(abandon(opened.account, 'child')).tokens).toBe(ESTIMATE);
    const asked = reserve(opened.child, 'call', { tokens: 700 });
    if (asked.kind === 'refused') throw new Error('there is room');
    expect(spentOf(closeChild(opened.account, 'child', asked.account)).tokens).toBe(700);
  });
});

test('what is spent and reserved adds up for each thing, in all and by phase', () => {
  const one = { steps: 1, toolCalls: 2, tokens: 3, nanoUsd: 4, timeMs: 5 };
  const two = { steps: 10, toolCalls: 20, tokens: 30, nanoUsd: 40, timeMs: 50 };
  const both = { steps: 11, toolCalls: 22, tokens: 33, nanoUsd: 44, timeMs: 55 };
  let account = openAccount({});
  for (const [id, amount, phase] of [
    ['a', one, 'answers'],
    ['b', two, 'children'],
  ] as const) {
    const reserved = reserve(account, id, amount, phase);
    if (reserved.kind === 'reserved') account = reserved.account;
  }
  expect([heldOf(account), heldOf(account, 'answers'), heldOf(account, 'children')]).toEqual([both, one, two]);
  account = settle(settle(account, 'a', one), 'b', two);
  expect([spentOf(account), spentOf(account, 'answers'), spentOf(account, 'children')]).toEqual([both, one, two]);
});

test('nothing is left of a cap that is passed', () => {
  const reserved = reserve(openAccount({ steps: 3, tokens: 9 }), 'a', { steps: 2 });
  if (reserved.kind === 'refused') throw new Error('there is room');
  expect(leftOf(settle(reserved.account, 'a', { steps: 4, tokens: 9 }))).toMatchObject({ steps: 0, tokens: 0 });
});

test('a cap of zero has no room for one', () =>
  expect(reserve(openAccount({ tokens: 0 }), 'a', { tokens: 1 })).toMatchObject({
    limit: { name: 'tokens', limit: 0 },
  }));
