import { carryOut, type Loops, type RunOptions } from 'loopfold';

/** A job of a queue: its id is that of the run. */
export interface Job {
  /** A UUID of version 7, made where the job is made. */
  readonly id: string;
  readonly prompt: string;
}

/**
 * The handler of a queue that delivers at least once: one run and one effect, delivered twice at once, or again late.
 * `own`: what every run of this worker has. `done`: acknowledge the job. `later`: leave it to be delivered again.
 */
export async function handleJob(
  loops: Loops,
  own: Omit<RunOptions, 'prompt'>,
  { id, prompt }: Job,
): Promise<'done' | 'later'> {
  const result = await carryOut(loops, { ...own, prompt }, id);
  if (result.kind === 'over') return 'done';
  // Another worker has it: where that one is lost, a later delivery succeeds it.
  if (result.kind !== 'live') return 'later';
  const end = await result.live.done;
  return end.kind === 'ended' ? 'done' : 'later';
}
