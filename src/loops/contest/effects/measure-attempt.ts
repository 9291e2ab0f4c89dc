import type { LoopEvent } from '../../../../machines/events.ts';
import { unmeasured } from '../../../../machines/contest-lanes.ts';
import { callOf } from '../../../actors/capture-repository.ts';
import { keepStart, runRefs } from '../../../git/run-refs.ts';
import { treeChanges } from '../../../git/tree-change.ts';
import { isThere } from '../../../git/worktree/worktree-place.ts';
import type { Contestant } from '../contest-memory.ts';
import { measured } from '../measure-work.ts';
import { type Effect, type EffectRequest, type EffectWork, lossOf } from '../../shared/effect.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import { endProcessesOf } from '../../shared/effects/end-processes.ts';
import { captured } from '../../shared/effects/untold-capture.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { again, contextOf, memoryOf } from './prepare-attempt.ts';

type Services = Pick<EffectServices, 'capture' | 'checksOf' | 'isWithin' | 'sandboxes'>;

/** Looks at what an attempt has left: its files, once nothing of it is at work, and what its own checks have said. */
const measureAttempt = (services: Services): EffectWork => ({
  execute: (request) =>
    repeatableExecution(async function* ({ signal }) {
      const { lane } = unmeasured(contextOf(request)) ?? {};
      const one = memoryOf(request).of(lane);
      if (!one?.child) throw new Error(`${request.context.run}: an attempt is looked at that has not ended`);
      const warning = await endProcessesOf(one.child, services);
      if (warning) yield warning;
      const answer = await looked(request, { ...one, child: one.child }, services);
      yield signal.aborted ? lossOf('measuring', { reason: String(signal.reason) }) : answer;
    }),
});

async function looked(
  { context: { settings } }: EffectRequest,
  { lane, child, outcome, prepared }: Contestant & { readonly child: string },
  services: Services,
): Promise<LoopEvent> {
  const call = callOf(settings);
  const tree = prepared && (await treeOf(child, { ...settings, ...prepared }, services));
  if (prepared) await keepStart(child, prepared.base, call);
  const changes = prepared && tree !== null ? await treeChanges(prepared.base, tree, call) : [];
  const verification = await services.checksOf(child);
  const work = { outcome: outcome ?? LOST, verification, changes };
  return { type: 'attempt.measured', payload: { lane, child, tree, measure: measured(work, settings) } };
}

const LOST = { ending: 'abort', cause: 'error', fault: null } as const;

/** The files of its worktree, captured as its end. Where that is gone: what was captured of it before. */
async function treeOf(
  child: string,
  settings: EffectRequest['context']['settings'],
  services: Services,
): Promise<string | null> {
  const { isolation } = settings;
  if (isolation && (await isThere(isolation.top)))
    return (await captured({ services, run: child, settings }, 'end')).hash;
  return (await runRefs(child, callOf(settings))).get('end') ?? null;
}

export const measurement: Effect = { ...again('measuring'), handler: measureAttempt };
