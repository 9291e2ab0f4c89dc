import { readAgentName } from '../../agents/agent-name.ts';
import { type ManifestCheck, manifestChecks } from '../../config/manifest-checks.ts';
import type { Effective } from '../../config/load-config.ts';
import { type ProposedModels, proposedModels } from '../../app/start/propose-models.ts';

/** What a run could use of what is found here, for what no flag, variable or file says. */
export interface Proposal extends ProposedModels {
  /** No model is named, and no agent of others that has its own. */
  readonly needsModel: boolean;
  /** Empty where checks, a loop, a strategy or a label are named, and where no manifest has tests. */
  readonly checks: readonly ManifestCheck[];
}

/** Options that decide what kind of run it is: with one of them, no checks are proposed. */
const KINDS = ['checks', 'heldOutChecks', 'loop', 'strategy', 'labels'] as const;

/** Proposes a model by the keys in the environment, and checks by the manifests in the folder. Nothing is sent. */
export async function proposalFor(
  { values, from }: Pick<Effective, 'values' | 'from'>,
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<Proposal> {
  return {
    ...proposedModels(values.providers ?? {}, environment),
    needsModel: values.model === undefined && values.agents === undefined && readAgentName(values.agent ?? '') === null,
    checks: KINDS.some((option) => from.has(option)) ? [] : await manifestChecks(directory, environment),
  };
}

/** The flags that a proposal stands for. */
export const flagsFor = ({ needsModel, models: [first], checks }: Proposal): readonly string[] => [
  ...(needsModel && first ? ['-m', first.model] : []),
  ...checks.flatMap(({ command }) => ['--verify', command]),
];
