import { availableParallelism } from 'node:os';
import type { Took } from '../../machines/took.ts';
import { type Founder, ProcessFamily, waitedForMs } from './process-family.ts';

/** Between two looks: a share of the time so far, within bounds. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_SHARE = 0.1;

/** CPU time of children of this process that commands have already been given as theirs. */
let givenMs = 0;

/** The state of a command at one moment. */
interface Look {
  readonly at: number;
  readonly cpuMs: number;
  /** CPU time of ended children of this process that no command had been given until then. */
  readonly unclaimedMs: number;
}

/**
 * Measures a command from now on, by looking at its processes from time to time. Call the result once, as soon as the
 * command has ended by itself, or before it is made to end.
 *
 * A process that has been waited for can no longer be looked at, but its time is added to that of its parent: that of
 * the command itself to ours. What else has ended in the same moment cannot be told from it, so no more is taken from
 * there than all cores can have done since the look before.
 */
export function meterOf(founder: Founder): (isOver: boolean) => Took {
  const startedAt = performance.now();
  const unclaimedMs = unclaimed();
  const wallMs = () => Math.round(performance.now() - startedAt);
  if (Number.isNaN(unclaimedMs)) return () => ({ wallMs: wallMs(), cpuMs: null });

  const family = new ProcessFamily(founder);
  let last: Look = { at: startedAt, cpuMs: 0, unclaimedMs };
  let timer = setTimeout(watch, SHORTEST_PAUSE_MS).unref();
  return (isOver) => {
    clearTimeout(timer);
    last = isOver ? lookAfter(last, family) : lookAgain(last, family);
    return { wallMs: wallMs(), cpuMs: Math.round(last.cpuMs) };
  };

  function watch(): void {
    last = lookAgain(last, family);
    timer = setTimeout(watch, pauseAfter(wallMs())).unref();
  }
}

/** A process that its parent has not waited for takes its time with it, so that the sum may shrink. */
function lookAgain(last: Look, family: ProcessFamily): Look {
  const look = { at: performance.now(), cpuMs: Math.max(last.cpuMs, family.cpuMs()), unclaimedMs: unclaimed() };
  return isTold(look) ? look : last;
}

/** The look after the end of the leader, which we have waited for. */
function lookAfter(last: Look, family: ProcessFamily): Look {
  const at = performance.now();
  const leftMs = family.knownCpuMs();
  const endedMs = Math.max(0, unclaimed() - last.unclaimedMs);
  const mostMs = last.cpuMs + (at - last.at) * availableParallelism();
  const cpuMs = Math.min(Math.max(last.cpuMs, leftMs + endedMs), mostMs);
  const look = { at, cpuMs, unclaimedMs: last.unclaimedMs };
  if (!isTold(look)) return last;
  givenMs += Math.min(Math.max(0, cpuMs - leftMs), endedMs);
  return look;
}

const pauseAfter = (wallMs: number): number =>
  Math.min(Math.max(wallMs * PAUSE_SHARE, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);

const unclaimed = (): number => waitedForMs() - givenMs;

/** For one look, the system may have no files left. */
const isTold = ({ cpuMs, unclaimedMs }: Look): boolean => !Number.isNaN(cpuMs + unclaimedMs);
