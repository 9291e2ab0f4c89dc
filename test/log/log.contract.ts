import { describe, onTestFinished } from 'vitest';
import type { Log } from '../../src/log/log.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { closing } from './contract/closing.ts';
import { events } from './contract/events.ts';
import type { Fresh } from './contract/fresh.ts';
import { inbox } from './contract/inbox.ts';
import { leases } from './contract/leases.ts';
import { outbox } from './contract/outbox.ts';
import { snapshots } from './contract/snapshots.ts';
import { AT } from './facts.ts';

/** What every engine promises. `open` makes a fresh, empty log whose store time is `now`. */
export function logContract(open: (now: () => number) => Promise<Log>): void {
  const fresh: Fresh = async (clock = fakeClock(AT)) => {
    const log = await open(clock.now);
    onTestFinished(() => log.close());
    return log;
  };

  events(fresh);
  describe('leases', () => leases(fresh));
  describe('inbox', () => inbox(fresh));
  describe('outbox', () => outbox(fresh));
  describe('snapshots', () => snapshots(fresh));
  closing(fresh);
}
