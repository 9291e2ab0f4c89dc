import type { AcceptanceTest } from '../../../../machines/improvement-facts.ts';
import type { RecordedSurroundings } from '../../../../machines/recorded-proof.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { GitCall } from '../../../git/process/git.ts';
import type { ImprovementMemory } from '../memory.ts';
import { withAcceptance } from '../witness/with-acceptance.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import type { Baseline } from '../../../verification/work-proof.ts';
import { headWithTest } from './acceptance-trees.ts';

/** The hash of the files that the loop has come to: those of its newest integration, or those that it began with. */
export const headTree = (
  { proof, isolation }: Pick<RunSettings, 'proof' | 'isolation'>,
  { head }: Pick<ImprovementMemory, 'head'>,
): string | null => head ?? proof?.base ?? isolation?.base ?? null;

/** The head of the loop with an acceptance test in it: what a candidate is compared with. Throws a `GitError`. */
export async function headFor(
  { base }: { readonly base: string },
  acceptance: AcceptanceTest | null,
  { settings, own, git }: { readonly settings: RunSettings; readonly own: ImprovementMemory; readonly git: GitCall },
): Promise<string> {
  const head = headTree(settings, own) ?? base;
  return acceptance ? headWithTest(head, acceptance, git) : head;
}

interface OnHead {
  readonly head: string;
  readonly dependencies: RecordedSurroundings['dependencies'] | undefined;
}

/**
 * The results of the checks on the head, with an acceptance test in it, and on what the run began with. Null: they did
 * not run.
 */
export function baselinesOn(
  { baseline, firstBaseline }: EffectRequest['memory'],
  acceptance: AcceptanceTest | null,
  { head, dependencies }: OnHead,
) {
  if (!baseline) return null;
  const since = withDependencies(baseline, dependencies);
  const onHead = acceptance ? withAcceptance(since, acceptance, head) : since;
  return { baseline: onHead, start: firstBaseline ?? since };
}

/** With the times that dependencies have since they were shared, where nothing else of them has changed until then. */
function withDependencies(baseline: Baseline, shared: OnHead['dependencies']): Baseline {
  const { surroundings } = baseline;
  const before = surroundings?.dependencies;
  if (!surroundings || !before || !shared || before.length !== shared.length) return baseline;
  const isSame = before.every((one) =>
    shared.some(({ path, lasting }) => path === one.path && lasting === one.lasting),
  );
  return isSame ? { ...baseline, surroundings: { ...surroundings, dependencies: shared } } : baseline;
}
