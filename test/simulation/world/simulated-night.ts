import type { LoopEvent } from '../../../machines/events.ts';
import type { EffectCall } from '../../../src/actors/actor.ts';
import { repeatableExecution } from '../../../src/loops/shared/effects/execution.ts';
import type { Execution, Fact, RunContext } from '../../../src/kernel/effect-handlers.ts';
import { lifeOf, type Outstanding } from '../../../src/kernel/fold.ts';
import { integrated, notIntegrated } from '../../loops/improvement/night-facts.ts';
import { workspaceCaptured } from '../../support/facts.ts';
import { stopped } from '../../support/stand-ins.ts';
import { ScriptedNight } from '../scripted-night.ts';
import type { Chance } from './chance.ts';
import { type BranchCommit, commitName, type SimulatedBranch } from './simulated-branch.ts';
import { thisSimulatedProcess } from './simulated-process.ts';

/** The most of one iteration. */
const HOW = { most: 3, tried: 3 };

/** The phases of an improvement loop in a world: what they find is drawn once, and their steps take time. */
export class SimulatedNight {
  readonly #script: ScriptedNight;
  readonly #chance: Chance;
  readonly #branch: SimulatedBranch;

  constructor(seed: number, chance: Chance, branch: SimulatedBranch) {
    this.#script = new ScriptedNight(seed, HOW);
    this.#chance = chance;
    this.#branch = branch;
  }

  /** The handlers of one run: they remember its newest commit and tree, as the fold of its log does. */
  forRun() {
    let newest: { readonly commit: string; readonly tree: string } | null = null;
    return {
      observe: (fact: Fact): void => {
        if (fact.type === 'integration.completed') newest = fact.payload;
      },
      execution: (effect: Outstanding, context: RunContext): Execution | null => {
        const answers = this.#script.answers(effect, context);
        if (answers === null) return null;
        if (effect.actor !== 'integrateCandidate') return repeatableExecution((call) => this.#after(answers, call));
        return this.#integration(answers, context, newest);
      },
    };
  }

  /** Answers after a while. One that is told to stop meanwhile has no answer. */
  async *#after(answers: readonly LoopEvent[], call: EffectCall): AsyncIterable<LoopEvent> {
    for (const answer of answers) {
      if (!(await this.#step(`${answer.type}`, call))) return;
      yield answer;
    }
  }

  /** The steps of the local host: nothing is recorded before the commit, and what fails is taken back. */
  #integration(
    answers: readonly LoopEvent[],
    { state }: RunContext,
    newest: { readonly commit: string; readonly tree: string } | null,
  ): Execution {
    const branch = this.#branch;
    const chance = this.#chance;
    const candidate = answers.flatMap(({ payload }) => ('candidate' in payload ? payload.candidate : []))[0] ?? '';
    const head = newest?.tree ?? 'tree-0';
    const commit: BranchCommit = { candidate, parent: newest?.commit ?? null, tree: `tree-${candidate}` };
    const isWanted = answers.some(({ type }) => type === 'integration.completed');
    const { workspace } = lifeOf(state);
    const bring = async (tree: string) => {
      await thisSimulatedProcess().wait(`brings ${tree}`, chance.below(40));
      branch.files = tree;
    };
    const step = (what: string, call: EffectCall) => this.#step(what, call);
    const execute = async function* (call: EffectCall): AsyncGenerator<LoopEvent> {
      const isMade = branch.isMade(commit);
      if (!(await step('looks at the branch', call)) && !isMade) return;
      if (!branch.takes(commit)) return yield notIntegrated(candidate);
      await bring(commit.tree);
      const isChecked = isMade || (await step('checks the whole', call));
      if (!isChecked || !isWanted) await bring(head);
      if (!isChecked) return;
      if (!isWanted) return yield notIntegrated(candidate);
      if (workspace !== commit.tree) yield workspaceCaptured(commit.tree);
      await thisSimulatedProcess().wait('commits', 20);
      if (branch.move(commit)) {
        await thisSimulatedProcess().wait('asks for a pull request', chance.below(200));
        return yield integrated(candidate, { commit: commitName(commit) });
      }
      await bring(head);
      yield workspaceCaptured(head);
      yield notIntegrated(candidate);
    };
    const reconcile = async () => {
      await thisSimulatedProcess().wait('asks whether it is committed', chance.below(40));
      if (branch.isMade(commit)) return integrated(candidate, { commit: commitName(commit) });
      await bring(head);
      return null;
    };
    return repeatableExecution(execute, reconcile);
  }

  /** A step that takes a while. False: it was told to stop. */
  async #step(what: string, call: EffectCall): Promise<boolean> {
    if (call.signal.aborted) return false;
    const working = thisSimulatedProcess().wait(what, this.#chance.below(250));
    await Promise.race([working, stopped(call)]);
    return !call.signal.aborted;
  }
}
