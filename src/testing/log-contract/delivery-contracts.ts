import type { Contract } from './contract.ts';
import { inbox } from './inbox-contract.ts';
import { outbox } from './outbox-contract.ts';
import { queue } from './queue-contract.ts';

/** What a log passes on: commands to a holder, reports to receivers, tasks to workers. */
export function deliveries(contract: Contract): void {
  const { describe } = contract;
  describe('inbox', () => inbox(contract));
  describe('outbox', () => outbox(contract));
  describe('queue', () => queue(contract));
}
