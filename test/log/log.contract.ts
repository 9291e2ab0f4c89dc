import { describe, onTestFinished } from 'vitest';
import type { Log } from '../../src/log/log.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { appending } from './contract/appending.ts';
import { closing } from './contract/closing.ts';
import { fencing } from './contract/fencing.ts';
import { following } from './contract/following.ts';
import { forking } from './contract/forking.ts';
import type { Fresh } from './contract/fresh.ts';
import { inbox } from './contract/inbox.ts';
import { leases } from './contract/leases.ts';
import { reading } from './contract/reading.ts';
import { refusals } from './contract/refusals.ts';
import { runs } from './contract/runs.ts';
import { snapshots } from './contract/snapshots.ts';
import { verifying } from './contract/verifying.ts';
import { AT } from './facts.ts';

/** What every engine promises. `open` makes a fresh, empty log whose store time is `now`. */
export function logContract(open: (now: () => number) => Promise<Log>): void {
  const fresh: Fresh = async (clock = fakeClock(AT)) => {
    const log = await open(clock.now);
    onTestFinished(() => log.close());
    return log;
  };

  describe('append', () => {
    appending(fresh);
    fencing(fresh);
    refusals(fresh);
  });
  describe('read', () => reading(fresh));
  describe('follow', () => following(fresh));
  describe('fork', () => forking(fresh));
  describe('runs', () => runs(fresh));
  describe('leases', () => leases(fresh));
  describe('inbox', () => inbox(fresh));
  describe('snapshots', () => snapshots(fresh));
  describe('verify', () => verifying(fresh));
  closing(fresh);
}
