import { type OriginRepository, originRepository } from '../../git/worktree/origin-repository.ts';
import { workspaceFolder } from '../changes/change-folders.ts';
import type { AppHost } from '../app-host.ts';
import { knownRun, type NoChange } from '../changes/run-change.ts';
import { type KnownRun, none, sideOf } from '../changes/run-sides.ts';
import { asRecorded, type ProvenSides } from './trees-of-record.ts';

type Host = Pick<AppHost, 'log' | 'definitions'>;

/** What is proven, and what with. */
export interface ProofSubject extends ProvenSides {
  readonly known: KnownRun;
  readonly origin: OriginRepository;
}

/** What there is to prove of a run that has ended. */
export async function subjectOf(host: Host, run: string): Promise<ProofSubject | NoChange> {
  const known = await knownRun(host, run);
  if ('kind' in known) return known;
  if (known.isLive) return none(known, 'it is running. Prove it when it has ended');
  if (known.settings.checks.length === 0)
    return none(known, 'it was started without checks, so there is nothing to run');
  const [start, end] = [await sideOf(host, known, 'start'), await sideOf(host, known, 'end')];
  if ('kind' in start) return start;
  if ('kind' in end) return end;
  const sides = await asRecorded(host, known, { start, end });
  if ('kind' in sides) return sides;
  const folder = await workspaceFolder(host.log, run, known.settings);
  const origin = folder === null ? null : await originRepository(folder);
  return origin ? { known, ...sides, origin } : none(known, 'its workspace is not there any more');
}
