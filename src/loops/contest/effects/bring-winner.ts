import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import { callOf } from '../../../actors/capture-repository.ts';
import type { Kept } from '../../../git/bring/bring-plan.ts';
import { bringTree } from '../../../git/bring/bring-tree.ts';
import { WorkspaceError } from '../../../git/bring/write-steps.ts';
import { GitError, gitFacts } from '../../../git/process/git.ts';
import { stateFilesOf } from '../../../text/own-files.ts';
import type { Contestant } from '../contest-memory.ts';
import { type Effect, type EffectRequest, type EffectWork, lossOf } from '../../shared/effect.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { again, memoryOf } from './prepare-attempt.ts';
import { startOf } from './contestant-worktree.ts';
import { workspaceWith } from './workspace-with.ts';

const MAX_NAMED = 5;

/**
 * Brings the change of the winner into the workspace, beside what a person has changed there since; all of it, or
 * nothing where it does not fit. Repeated, it finds what a killed process has written.
 */
const bringWinner = ({ store }: Pick<EffectServices, 'store'>): EffectWork => ({
  execute: (request) =>
    repeatableExecution(async function* ({ signal }) {
      const winner = memoryOf(request).leader();
      if (!winner?.child) throw new Error(`${request.context.run}: a change is brought, and no attempt has won`);
      const answer = await brought(request, { ...winner, child: winner.child }, store).catch(refusedBy(winner));
      yield signal.aborted && answer.type !== 'winner.brought'
        ? lossOf('bringing', { reason: String(signal.reason) })
        : answer;
    }),
});

/** What the disk or git refuse is a fault of the run, in their words. */
const refusedBy =
  ({ lane }: Contestant) =>
  (error: unknown): EventOf<'winner.refused'> => {
    if (!(error instanceof GitError || error instanceof WorkspaceError)) throw error;
    return refused(lane, error.message);
  };

const refused = (lane: string, why: string): EventOf<'winner.refused'> => ({
  type: 'winner.refused',
  payload: {
    lane,
    fault: {
      code: 'change_not_brought',
      message: `the change of attempt ${lane} does not fit into the folder: ${why}`,
    },
  },
});

async function brought(
  request: EffectRequest,
  { lane, child, tree }: Contestant & { readonly child: string },
  store: string | null,
): Promise<LoopEvent> {
  const { run, settings } = request.context;
  const before = memoryOf(request).brought?.tree ?? (await startOf(run, settings));
  if (tree === null || before === null) return refused(lane, 'nothing of it was captured');
  const top = settings.isolation?.top ?? (await gitFacts(['--show-toplevel'], { directory: settings.directory }))[0];
  const merged = await workspaceWith({ run, before, tree, store }, settings, callOf(settings));
  if ('kept' in merged) return refused(lane, named(merged.kept));
  const { directory } = settings;
  const to = { run, directory, top: top ?? directory, tree: merged.hash, leaveOut: stateFilesOf(settings), store };
  const done = await bringTree(to, callOf(settings));
  if (done.kind === 'other') return refused(lane, named(done.kept));
  return { type: 'winner.brought', payload: { lane, child, tree, changed: merged.changed } };
}

const named = (kept: readonly Kept[]): string =>
  kept.length === 0
    ? 'it changed at this moment'
    : kept
        .slice(0, MAX_NAMED)
        .map(({ path, because }) => `${path}: ${because}`)
        .join('; ');

export const bringing: Effect = { ...again('bringing'), handler: bringWinner };
