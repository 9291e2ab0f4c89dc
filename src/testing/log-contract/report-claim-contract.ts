import { thisProcess } from '../../log/holder.ts';
import { MAX_CLOCK_AHEAD_MS } from '../../log/lease-store.ts';
import { AT, elsewhere, type Contract, storeClock } from './contract.ts';
import { claim, claimed, FOR_MS, later, ONE, reporting } from './reports-under-test.ts';

/** A claim belongs to one process, and passes on when it expires or its process ends. */
export function passingClaims({ fresh, expect, test }: Contract): void {
  test('R11 two processes never try the same report at once; a claim that expires passes on', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    await reporting(log, 'a', [ONE], 1);
    const [x, y] = [elsewhere('x'), elsewhere('y')];
    const [one, two] = await Promise.all([log.claimReport(claim(x)), log.claimReport(claim(y))]);
    expect([one, two].filter((claimedBy) => claimedBy !== null)).toHaveLength(1);
    const [first, other] = one ? [x, y] : [y, x];
    const lost = one ?? two;
    if (!lost) throw new Error('one of them');
    expect(lost.claimedUntil).toBe(later(FOR_MS));
    clock.advance(FOR_MS - 1);
    expect(await log.claimReport(claim(other))).toBeNull();
    clock.advance(1);
    const taken = await claimed(log, other);
    expect(taken.attempts).toBe(2);
    expect(await log.reportDelivered(lost, first)).toBe(false);
    expect(await log.reportFailed(lost, first, { error: 'late', againInMs: 1 })).toBe(false);
    expect(await log.report('a/2', ONE)).toEqual(taken);
    expect(await log.reportDelivered(taken, other)).toBe(true);
    expect(await log.reportDelivered(taken, other)).toBe(false);
    expect(await log.undelivered()).toEqual([]);
  });

  test('R11 a claim that ends more than a day from now holds nothing', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    await reporting(log, 'a', [ONE], 1);
    await claimed(log);
    const other = claim(elsewhere('other'));
    clock.advance(FOR_MS - MAX_CLOCK_AHEAD_MS);
    expect(await log.claimReport({ ...other, lastTriedBefore: later(1) })).toBeNull();
    clock.advance(-1);
    expect(await log.claimReport({ ...other, lastTriedBefore: later(1) })).toMatchObject({ id: 'a/2', attempts: 2 });
  });
}

/** Claims of this machine end with their process. */
export function endingClaims({ fresh, expect, test }: Contract): void {
  test('R11 the claim of a process of this machine ends with it; one of another machine has to expire', async () => {
    const log = await fresh();
    await reporting(log, 'a', [ONE], 1);
    const [living, away] = [thisProcess(), elsewhere('away')];
    const dead = { ...thisProcess(), processStart: 'earlier' };
    expect(await log.claimReport(claim(dead))).toMatchObject({ attempts: 1, claimedBy: dead });
    const taken = await log.claimReport(claim(living));
    expect(taken).toMatchObject({ attempts: 2, claimedBy: living });
    expect(await log.claimReport(claim(thisProcess()))).toBeNull();
    if (taken) await log.reportFailed(taken, living, { error: 'answered 500', againInMs: 0 });
    expect(await log.report('a/2', ONE)).toMatchObject({ claimedBy: null, claimedUntil: null });
    expect(await log.claimReport(claim(away))).toMatchObject({ attempts: 3 });
    expect(await log.claimReport(claim(living))).toBeNull();
  });
}
