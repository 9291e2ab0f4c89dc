import { type Discovery, MAX_PLAN_CHARS } from '../../../../machines/improvement-facts.ts';
import { planTokens } from '../../../../machines/improvement-progress.ts';
import type { Share } from '../../../../machines/usage.ts';
import type { Said } from '../../../actors/model/ask-within.ts';
import { totalUsage } from '../total-usage.ts';
import { head } from '../../../text/excerpt.ts';
import { askModel, shareOf } from '../../shared/effects/ask-model.ts';
import { type Planned, type Planning, type PlanServices, promptFor } from './plan-prompts.ts';

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
