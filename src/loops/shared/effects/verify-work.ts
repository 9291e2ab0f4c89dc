import type { ProofSettings, RunSettings } from '../../../../machines/settings.ts';
import { checksOfWork } from '../../../config/clean-tree.ts';
import { askCi, interruptedChecks } from '../../../actors/verify/verify-actor.ts';
import { starts } from '../../../charts/effects-of-state.ts';
import type { Execution } from '../../../kernel/effect-handlers.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { steppedProof } from '../../../verification/proof-steps.ts';
import { verifiedWork } from '../../../verification/verify-in-proof.ts';
import { uncapturedSince } from '../../../verification/capture-gaps.ts';
import { workingSubject } from '../../../verification/subject-in-folder.ts';
import { captured } from './untold-capture.ts';
import { actorExecution, repeatableExecution } from './execution.ts';
import { type Effect, type EffectRequest, type EffectWork, lossOf } from '../effect.ts';
import { withWorkspaceChecks } from './workspace-checks.ts';
import type { EffectServices } from '../../../ports/services.ts';

type Services = Pick<EffectServices, 'verify' | 'capture' | 'rootOf'>;

/**
 * Runs the checks of the run over its captured workspace, unless its strategy wants none: in a proof checkout, or in
 * the workspace itself.
 */
const verifyWork = (services: Services): EffectWork => ({
  execute: (request) => {
    const { context, strategy } = request;
    const { settings, state } = context;
    const { directory, environment = [], checks, proof } = settings;
    const { workspace } = lifeOf(state);
    const asked = strategy.skipsVerification ? [] : checks;
    if (proof && workspace !== null && asked.length > 0) return inCheckout(services, request, proof, workspace);
    return actorExecution(services.verify, {
      checks: asked,
      ci: ciFor(request),
      directory,
      environment,
      workspace,
    });
  },
});

const inCheckout = (services: Services, request: EffectRequest, proof: ProofSettings, work: string): Execution =>
  repeatableExecution(async function* ({ signal, delta }) {
    const { context, memory } = request;
    const { run, settings } = context;
    const { checks, environment = [], directory } = settings;
    const working = await workingSubject(settings, proof, work);
    const { subject, ...by } = steppedProof(working, checksOfWork(checks), memory.baseline);
    const proven = await verifiedWork(subject, {
      run,
      keptFor: await services.rootOf(run),
      ...by,
      environment,
      signal,
      delta,
      baseline: memory.baseline,
      timesOf: memory.baseline?.levels,
      verdicts: memory.verdicts,
      unsteadyBefore: memory.unsteadyBefore,
      heldOut: proof.heldOut,
      dispute: {
        disputes: memory.disputes,
        canAsk: proof.wait !== false && starts(memory.loop, 'askAboutGrounds'),
      },
      uncaptured: await uncapturedSince(memory.leftOut, subject),
      captureAgain: async () => (await captured({ services, run, settings }, null)).hash,
    });
    const verified = proven?.passed ? await withWorkspaceChecks(proven, settings, run, { signal, delta }) : proven;
    const ci = verified?.passed ? ciFor(request) : null;
    const status = ci ? await askCi(ci, { run, directory, environment }, { signal, delta }) : undefined;
    yield verified && status !== null
      ? { type: 'verification.completed', payload: { ...verified, ...(status ? { ci: status } : {}) } }
      : interruptedChecks(signal);
  });

/** Only strategies read the CI status. */
const ciFor = ({ context: { settings }, memory: { loop } }: EffectRequest): RunSettings['ci'] =>
  loop.strategyInput ? settings.ci : null;

export const verification: Effect = {
  class: 'repeatable',
  interrupted: (_, how) => lossOf('checks', how),
  handler: verifyWork,
};
