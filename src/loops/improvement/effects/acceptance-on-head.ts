import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { checksOfWork } from '../../../config/clean-tree.ts';
import { basedOn } from '../../../evidence/base-tests.ts';
import type { Acceptance } from '../planning/plan-memory.ts';
import { judgeAcceptance, whyNotSteady } from '../witness/judge-acceptance.ts';
import type { WrittenTest } from '../witness/acceptance-answer.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import { inProof } from '../../../verification/prepare-legs.ts';
import { checksUpTo, ranTree } from '../../../verification/check-tree.ts';
import { workingSubject } from '../../../verification/subject-in-folder.ts';
import { acceptanceTrees } from './acceptance-trees.ts';
import { headTree } from './baselines-on-head.ts';
import { memoryOf } from './improvement-request.ts';
import type { EffectServices } from '../../../ports/services.ts';

export const NO_RUNNER = 'no check reports its tests by name, so no test can show it';

/**
 * Runs a test that a planner has written on the head, in a checkout of a proof: alone, and once more with tests that
 * must fail in its file, and without the TODO comment that asks for the work. Null: told to stop. Throws a `GitError`.
 */
export async function acceptanceOnHead(
  discovery: Discovery,
  written: WrittenTest,
  request: EffectRequest,
  { rootOf }: Pick<EffectServices, 'rootOf'>,
  { signal, delta }: EffectCall,
): Promise<Acceptance | null> {
  const { run, settings } = request.context;
  const { baseline } = request.memory;
  const { directory, isolation, proof, environment = [] } = settings;
  const head = headTree(settings, memoryOf(request));
  if (!isolation || !proof || head === null || !baseline?.tests.length) return { refused: NO_RUNNER };
  const git = { directory: isolation.repository, signal };
  const trees = await acceptanceTrees(discovery, written, { directory, isolation, head, git });
  if ('refused' in trees) return trees;
  const { path, tree, controlled, labels } = trees;
  const subject = await workingSubject(settings, { ...proof, base: head }, tree);
  const how = { run, environment, signal, delta, keptFor: await rootOf(run), runsAll: true };
  const named = new Set(baseline.tests.map(({ check }) => check));
  const about = { path, text: written.text, before: basedOn(baseline.tests) };
  const refused = (why: string): Acceptance => ({ refused: `its test ${path} ${why}` });
  return inProof(subject, how, async (legs) => {
    const checks = checksUpTo(named, checksOfWork(settings.checks), legs.plan);
    const first = await ranTree('acceptance', tree, legs, { ...how, checks });
    if (first === null) return null;
    const failed = first.checks.find(({ passed }) => !passed)?.output ?? '';
    const judged = judgeAcceptance(about, first.tests, failed);
    if ('refused' in judged) return refused(judged.refused);
    // What fails here is meant to.
    const second = await ranTree('acceptance', controlled, legs, { ...how, checks, delta: () => {} });
    if (second === null) return null;
    const why = whyNotSteady(about, judged.test, { ran: second.tests, labels });
    return why === null ? judged : refused(why);
  });
}
