import { availableParallelism } from 'node:os';

/** Processes that write the files of one checkout. A file system gains little by more. */
const MAX_WORKERS = 8;

/** A setting of a call. Git itself takes one process, whatever the machine has; for a few files it stays with that. */
export const checkoutWorkers = (): string => `checkout.workers=${Math.min(availableParallelism(), MAX_WORKERS)}`;
