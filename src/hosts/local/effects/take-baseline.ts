import { checksOfWork } from '../../../config/clean-tree.ts';
import { interruptedChecks } from '../../../actors/verify/verify-actor.ts';
import { callOf } from '../capture-repository.ts';
import { steppedBaseline } from '../proof/baseline-steps.ts';
import { folderOf, hasSteps } from '../proof/proof-steps.ts';
import { treeSteps } from '../proof/tree-steps.ts';
import { workingSubject } from '../proof/working-subject.ts';
import type { Services } from '../services.ts';
import { repeatableExecution } from './execution.ts';
import type { LocalEffect } from './local-effect.ts';

/** Runs all checks on the tree that the run begins with, before anything is changed. */
export const takeBaseline = ({ rootOf, flakyLedger }: Pick<Services, 'rootOf' | 'flakyLedger'>): LocalEffect => ({
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
