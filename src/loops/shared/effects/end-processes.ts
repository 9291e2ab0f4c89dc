import type { EventOf } from '../../../../machines/events.ts';
import { processesWith, runsOf } from '../../../actors/command-mark.ts';
import { endFound } from '../../../actors/process-group.ts';
import type { EffectServices } from '../../../ports/services.ts';

/**
 * Ends what commands of a run, and of runs below it, have left running, also outside of their group: it could change
 * files between their capture and their checks. The warning that says so; null: there was nothing.
 */
export async function endProcessesOf(
  run: string,
  { isWithin, sandboxes }: Pick<EffectServices, 'isWithin' | 'sandboxes'>,
): Promise<EventOf<'warning.raised'> | null> {
  await sandboxes.end((one) => isWithin(one, run));
  const ended = await endFound(() =>
    processesWith(async (environment) => {
      const within = await Promise.all(runsOf(environment).map((one) => isWithin(one, run)));
      return within.includes(true);
    }),
  );
  if (ended === 0) return null;
  const which = ended === 1 ? '1 process' : `${ended} processes`;
  const message = `${which} that the run had left running ended before its work was captured.`;
  return { type: 'warning.raised', payload: { code: 'processes_ended', message } };
}
