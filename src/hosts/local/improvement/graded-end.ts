import type { EventOf } from '../../../../machines/events.ts';
import { asksPerson } from '../../../../machines/improvement-options.ts';
import type { EffectRequest } from '../effects/local-effect.ts';
import type { Services } from '../services.ts';
import { memoryOf } from './improvement-request.ts';
import { keptApart } from './kept-apart.ts';
import type { TierLog } from './tier-log.ts';

type End = Pick<
  EventOf<'evaluation.completed'>['payload'],
  'passed' | 'tier' | 'reason' | 'grade' | 'because' | 'apart'
>;

const PASSED = { passed: true, tier: null, reason: 'every tier passed' };

/** Grades a change that no tier has refused. One that is not shown goes to a person, or to a branch of its own. */
export async function gradedEnd(
  request: EffectRequest,
  services: Pick<Services, 'store'>,
  log: TierLog,
  tree: string | null,
): Promise<End> {
  const own = memoryOf(request);
  if (!own.options.witnesses) return PASSED;
  const { turned, because } = log.shown ?? { turned: false, because: 'nothing was evaluated' };
  if (turned || tree === null || asksPerson(own.options)) {
    log.tell({ tier: 'witness', kind: 'witness', passed: turned, detail: because });
    return { ...PASSED, grade: turned ? 'witnessed' : 'not regressed', because };
  }
  const apart = await keptApart(request, services, { tree, because });
  const lost = 'refused' in apart ? `; no branch keeps it: ${apart.refused}` : '';
  const reason = `not shown: ${because}${lost}`;
  log.tell({ tier: 'witness', kind: 'witness', passed: false, detail: reason });
  const kept = 'refused' in apart ? {} : { apart };
  return { passed: false, tier: 'witness', reason, grade: 'not regressed', because, ...kept };
}
