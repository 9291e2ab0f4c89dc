import type { Log } from '../../log/log.ts';
import { appending } from './append-contract.ts';
import { type Contract, storeClock, type TestRunner } from './contract.ts';
import { copies } from './copy-contract.ts';
import { following } from './follow-contract.ts';
import { forking } from './fork-contract.ts';
import { leases } from './lease-contract.ts';
import { order } from './order-contract.ts';
import { deliveries } from './delivery-contracts.ts';
import { closing, reading } from './read-contract.ts';
import { refusals } from './refusal-contract.ts';
import { runs } from './run-contract.ts';
import { snapshots } from './snapshot-contract.ts';
import { verifying } from './verify-contract.ts';

/**
 * Registers a test for every promise that an engine of the log keeps. `open` makes a fresh, empty log whose store time
 * is `now`, in milliseconds since 1970.
 *
 * @example
 * import { describe, expect, onTestFinished, test } from 'vitest';
 *
 * logContract(async (now) => memoryLog({ now }), { describe, expect, onTestFinished, test });
 */
export function logContract(open: (now: () => number) => Promise<Log>, runner: TestRunner): void {
  const { describe, onTestFinished } = runner;
  const contract: Contract = {
    ...runner,
    fresh: async (clock = storeClock()) => {
      const log = await open(clock.now);
      onTestFinished(() => log.close());
      return log;
    },
  };
  describe('append', () => {
    appending(contract);
    refusals(contract);
  });
  describe('order', () => order(contract));
  describe('read', () => reading(contract));
  describe('follow', () => following(contract));
  describe('fork', () => forking(contract));
  describe('runs', () => runs(contract));
  describe('verify', () => verifying(contract));
  describe('leases', () => leases(contract));
  deliveries(contract);
  describe('snapshots', () => snapshots(contract));
  describe('copies', () => copies(contract));
  closing(contract);
}
