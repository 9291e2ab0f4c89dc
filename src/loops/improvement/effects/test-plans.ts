import { type Discovery, MAX_PLAN_CHARS } from '../../../../machines/improvement-facts.ts';
import type { Share } from '../../../../machines/usage.ts';
import { lessUsed, type Said } from '../../../actors/model/ask-within.ts';
import { GitError } from '../../../git/process/git.ts';
import type { Acceptance } from '../planning/plan-memory.ts';
import { writtenTest } from '../witness/acceptance-answer.ts';
import { head } from '../../../text/excerpt.ts';
import { askModel, shareOf } from '../../shared/effects/ask-model.ts';
import { acceptanceOnHead, NO_RUNNER } from './acceptance-on-head.ts';
import { type Planned, type Planning, type PlanServices, promptFor, together } from './plan-prompts.ts';
import { planTokens } from '../../../../machines/improvement-progress.ts';
import { totalUsage } from '../total-usage.ts';

/** How many are written at once: providers limit requests a minute. */
const MAX_PARALLEL = 4;

/** Asks for each plan by a call of its own. Each has the same part of what plans may use. */
export async function plansByCalls(planning: Planning, services: PlanServices): Promise<Planned> {
  const { request, own, candidates, model, call } = planning;
  const { estimateTokens } = own.options.phases.experiment;
  const each = partOf(shareOf(request), candidates.length, planTokens(estimateTokens));
  const said = new Map<string, Said>();
  const waiting = [...candidates];
  const work = async () => {
    for (let next = waiting.shift(); next && !call.signal.aborted; next = waiting.shift()) {
      const prompt = await promptFor(next, planning);
      said.set(next.id, await askModel({ prompt, model }, request, services, call, each));
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, work));
  return plannedBy(candidates, said);
}

const partOf = ({ tokens, nanoUsd }: Share, count: number, most: number): Share => ({
  tokens: tokens === null ? most : Math.min(most, Math.floor(tokens / Math.max(1, count))),
  nanoUsd: nanoUsd === null ? null : Math.floor(nanoUsd / Math.max(1, count)),
});

function plannedBy(candidates: readonly Discovery[], said: ReadonlyMap<string, Said>): Planned {
  const answers = candidates.flatMap(({ id }) => {
    const one = said.get(id);
    return one ? [{ id, one }] : [];
  });
  const plans = answers.flatMap(({ id, one }) =>
    one.kind === 'answered' && one.text.trim() !== '' ? [{ candidate: id, text: head(one.text, MAX_PLAN_CHARS) }] : [],
  );
  const [fault] = answers.flatMap(({ one }) => (one.kind === 'failed' ? [one.fault] : []));
  const usage = totalUsage(answers.map(({ one }) => one.usage));
  return { plans, ...(usage ? { usage } : {}), ...(fault ? { fault } : {}) };
}

/** A planner whose test shows nothing is told why, and writes one more. */
const MAX_TESTS_WRITTEN = 2;
const MAX_REFUSED_CHARS = 2_000;
const NO_TEST = 'its planner wrote no test for it';

/** Runs the acceptance tests of plans on the head, one after the other: a machine runs one suite at a time best. */
export async function withAcceptance(planned: Planned, planning: Planning, services: PlanServices): Promise<Planned> {
  let all = planned;
  for (const candidate of planning.candidates) {
    if (planning.call.signal.aborted) break;
    all = together([all, await acceptanceOf(candidate, all, planning, services)]);
  }
  return all;
}

/** The test of one candidate, or why there is none, and what writing it anew has used. */
async function acceptanceOf(
  candidate: Discovery,
  known: Planned,
  planning: Planning,
  services: PlanServices,
): Promise<Planned> {
  const { request, own, model, call } = planning;
  const ofCandidate = (one: Acceptance) => ({
    candidate: candidate.id,
    ...('test' in one ? one : { refused: head(one.refused, MAX_REFUSED_CHARS) }),
  });
  if (!own.hasRunner) return { plans: [], acceptance: [ofCandidate({ refused: NO_RUNNER })] };
  const plan = known.plans.find((one) => one.candidate === candidate.id)?.text ?? own.plans.of(candidate.id);
  const unwritten = known.fault ? `its plan could not be written: ${known.fault.message}` : NO_TEST;
  if (plan === null) return { plans: [], acceptance: [ofCandidate({ refused: unwritten })] };
  let found = await judged(candidate, plan, planning, services);
  const more: Planned[] = [];
  for (let time = 2; time <= MAX_TESTS_WRITTEN && isWorthAnother(found) && !call.signal.aborted; time += 1) {
    const prompt = await promptFor(candidate, planning, found.refused);
    const said = await askModel({ prompt, model }, request, services, call, leftOf(planning, [known, ...more]));
    more.push({ plans: [], usage: said.usage });
    if (said.kind !== 'answered') break;
    const text = head(said.text, MAX_PLAN_CHARS);
    const again = await judged(candidate, text, planning, services);
    if (again && 'test' in again) more.push({ plans: [{ candidate: candidate.id, text }] });
    if (isWorthAnother(again) || again === null || 'test' in again) found = again;
  }
  return together([...more, { plans: [], ...(found ? { acceptance: [ofCandidate(found)] } : {}) }]);
}

/** A planner that has written none, or whose project runs none, is not asked again. */
const isWorthAnother = (found: Acceptance | null): found is { readonly refused: string } =>
  found !== null && 'refused' in found && found.refused !== NO_TEST && found.refused !== NO_RUNNER;

/** Null: told to stop. */
async function judged(
  candidate: Discovery,
  plan: string,
  { request, call }: Planning,
  services: PlanServices,
): Promise<Acceptance | null> {
  const written = writtenTest(plan);
  if (written === null) return { refused: NO_TEST };
  try {
    return await acceptanceOnHead(candidate, written, request, services, call);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { refused: `its test could not be run on the head: ${error.message}` };
  }
}

/** What is left of the reservation of all plans. */
function leftOf({ request }: Planning, used: readonly Planned[]): Share {
  const { usage } = together(used);
  const share = shareOf(request);
  return usage ? lessUsed(share, usage) : share;
}
