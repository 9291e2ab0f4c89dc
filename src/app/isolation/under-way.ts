import type { EventOf } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Log } from '../../log/log.ts';
import { ContestMemory } from '../../loops/contest/contest-memory.ts';
import { ImprovementMemory } from '../../loops/improvement/memory.ts';
import { factOf } from '../../projections/read-summary.ts';
import { readSettings } from '../../runtime/read-settings.ts';

/** The worktree of an experiment, or of an attempt that competes. */
export interface Prepared extends Pick<EventOf<'experiment.prepared'>['payload'], 'isolation' | 'base'> {
  /** Its candidate, or its lane. */
  readonly name: string;
  readonly keepsOrigin: boolean;
}

/** The worktrees that runs below a run work in, or are about to. */
export async function underWay(log: Log, run: string): Promise<readonly Prepared[]> {
  const settings = await readSettings(log, run);
  if (!settings) return [];
  return settings.loop === 'contest' ? attemptsUnderWay(log, run, settings) : experimentsUnderWay(log, run, settings);
}

/** Attempts that have a worktree, and whose runs have not ended. */
async function attemptsUnderWay(log: Log, run: string, settings: RunSettings): Promise<readonly Prepared[]> {
  const memory = new ContestMemory(settings);
  for await (const envelope of log.read(run)) {
    const fact = OF_ATTEMPTS.test(envelope.type) ? factOf(envelope) : null;
    if (fact) memory.observe(fact);
  }
  return memory
    .all()
    .flatMap(({ prepared, child, lost }) => (prepared && child === null && lost === null ? [prepared] : []))
    .map(({ lane, isolation, base }) => ({ name: lane, isolation, base, keepsOrigin: false }));
}

const OF_ATTEMPTS = /^(iteration|attempt|child|effect)\./;

/** What has a worktree, and is neither kept nor refused. */
async function experimentsUnderWay(log: Log, run: string, settings: RunSettings): Promise<readonly Prepared[]> {
  let memory: ImprovementMemory | null = null;
  for await (const envelope of log.read(run)) {
    const fact = OF_EXPERIMENTS.test(envelope.type) ? factOf(envelope) : null;
    if (fact?.type === 'discovery.completed') memory ??= new ImprovementMemory(settings);
    if (fact) memory?.observe(fact);
  }
  const prepared = memory?.experiments.all().flatMap((one) => one.prepared ?? []) ?? [];
  return prepared.map(({ candidate, isolation, base }) => ({ name: candidate, isolation, base, keepsOrigin: true }));
}

/** The events that say so. */
const OF_EXPERIMENTS =
  /^(iteration|discovery|filter|experiment|candidate|evaluation|integration|child|effect|abort|timer)\./;
