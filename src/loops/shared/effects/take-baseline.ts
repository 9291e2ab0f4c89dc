import { checksOfWork } from '../../../config/clean-tree.ts';
import { interruptedChecks } from '../../../actors/verify/verify-actor.ts';
import { callOf } from '../../../actors/capture-repository.ts';
import { steppedBaseline } from '../../../verification/baseline-steps.ts';
import { folderOf } from '../../../verification/proof-steps.ts';
import { hasSteps } from '../../loop-abilities.ts';
import { treeSteps } from '../../../verification/tree-steps.ts';
import { workingSubject } from '../../../verification/subject-in-folder.ts';
import { repeatableExecution } from './execution.ts';
import { type Effect, type EffectWork, lossOf } from '../effect.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** Runs all checks on the tree that the run begins with, before anything is changed. */
const takeBaseline = ({ rootOf, flakyLedger }: Pick<EffectServices, 'rootOf' | 'flakyLedger'>): EffectWork => ({
  execute: ({ context: { run, settings }, memory: { loop } }) =>
    repeatableExecution(async function* ({ signal, delta }) {
      const { proof, checks, environment = [] } = settings;
      if (!proof) throw new TypeError('the baseline of a run whose checks run in its workspace');
      const working = await workingSubject(settings, proof, proof.base);
      const whole = checksOfWork(checks);
      const steps = hasSteps(loop) ? await treeSteps(whole, proof.base, folderOf(working), callOf(settings)) : [];
      // Beside the checks, which take longer.
      const [taken, ledger] = await Promise.all([
        steppedBaseline(working, {
          run,
          keptFor: await rootOf(run),
          environment,
          signal,
          delta,
          whole,
          steps,
          heldOut: proof.heldOut,
          requireRed: proof.requireRed,
        }),
        flakyLedger(run, settings),
      ]);
      yield taken
        ? { type: 'baseline.taken', payload: { ...taken, ...(ledger.length > 0 ? { ledger } : {}) } }
        : interruptedChecks(signal);
    }),
});

export const baseline: Effect = {
  class: 'repeatable',
  interrupted: (_, how) => lossOf('checks', how),
  handler: takeBaseline,
};
