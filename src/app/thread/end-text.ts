import type { RunSettings } from '../../../machines/settings.ts';
import { endingName } from '../../projections/phrases.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { sentence } from '../../text/sentence.ts';

/** How a run has ended, as the model is told that continues its conversation. */
export const endText = (
  { outcome, reason }: NonNullable<RunSummary['ending']>,
  { checks }: Pick<RunSettings, 'checks'>,
): string => sentence(`The work on that has ended: ${endingName(outcome, checks.length > 0)}: ${reason}`);
