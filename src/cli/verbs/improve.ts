import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CODER } from '../../config/agents/coder.ts';
import { runValues } from '../../config/config.ts';
import { type ImproveFlags, improveOptions, WHOLE_REPOSITORY } from '../../config/improve-config.ts';
import type { RunFlags } from '../args/run-flags.ts';
import { wholeNumber } from '../args/whole-number.ts';
import { withProposal } from '../args/with-proposal.ts';
import { usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { dryRun } from './dry-run.ts';
import { startRun } from './run.ts';

export type ImproveCall = Omit<ImproveFlags, 'minRelevance'> &
  Pick<RunFlags, 'dryRun' | 'json'> & { readonly minRelevance?: string };

/** Starts a loop of improvements in the folder. `focus`: what they should be about. */
export async function improve(session: Session, focus: string | undefined, flags: ImproveCall): Promise<number> {
  const minRelevance = flags.minRelevance === undefined ? undefined : scoreIn('--min-relevance', flags.minRelevance);
  if (flags.experiments !== undefined) wholeNumber('--experiments', flags.experiments);
  const format = await session.outputFormat();
  const isDryRun = flags.dryRun ?? false;
  if (flags.items !== undefined) await listIsThere(flags.items, session.directory);
  const values = await withProposal(session, { format, isDryRun });
  const asked = {
    ...improveOptions({ agent: CODER, ...runValues(values) }, { ...flags, minRelevance }),
    prompt: focus ?? WHOLE_REPOSITORY,
    directory: session.directory,
  };
  if (isDryRun) {
    const shown = { offered: null, json: flags.json ?? false, format };
    return dryRun(session, await session.loopsNowhere(), asked, shown);
  }
  return startRun(session, asked, { format });
}

/** A list that is named by mistake would be missed only when the night is over. */
async function listIsThere(items: string, directory: string): Promise<void> {
  const path = resolve(directory, items);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw usage('--items', `a file with open items, from ${directory}`, `'${items}'`);
}

function scoreIn(flag: string, text: string): number {
  const score = text.trim() === '' ? Number.NaN : Number(text);
  if (score >= 0 && score <= 1) return score;
  throw usage(flag, 'a score from 0 to 1', `'${text}'`);
}
