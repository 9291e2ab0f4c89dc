import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { Grade } from '../../../../machines/outcome.ts';
import type { Experiment } from './experiments.ts';
import type {
  KeptChange,
  LeftCandidate,
  NightFinding,
  RefusedCandidate,
  TriedCandidate,
  UnshownChange,
} from './night-candidates.ts';
import { isUnshown } from './candidate-refusal.ts';

/** The candidates of a run by what became of them. One that is under way is in none of the lists. */
export interface CandidateResults {
  readonly kept: readonly KeptChange[];
  readonly notShown: readonly UnshownChange[];
  readonly refused: readonly RefusedCandidate[];
}

/** Sorts what was tried by what became of it. `isEvaluated`: false where a person decides about everything. */
export const candidateResults = (tried: readonly Experiment[], isEvaluated: boolean): CandidateResults => ({
  kept: tried.flatMap((one) => keptChange(one, isEvaluated)),
  notShown: tried.flatMap(unshownChange),
  refused: tried.flatMap(refusedCandidate),
});

export const findingOf = ({ id, title, source, file }: Discovery): NightFinding => ({
  id,
  title,
  source,
  ...(file === undefined ? {} : { file }),
});

export const leftCandidate = (discovery: Discovery): LeftCandidate => ({
  ...findingOf(discovery),
  relevanceScore: discovery.relevanceScore,
});

export const triedOf = ({ iteration, discovery }: Experiment): TriedCandidate => ({
  iteration,
  finding: findingOf(discovery),
});

const madeOf = (experiment: Experiment) => ({
  ...triedOf(experiment),
  witness: experiment.witness,
  files: experiment.built?.changed ?? [],
  change: experiment.built?.modification ?? null,
});

function keptChange(experiment: Experiment, isEvaluated: boolean): readonly KeptChange[] {
  const { kept, evaluation } = experiment;
  if (!kept) return [];
  const { commit, branch, opened } = kept;
  const because = evaluation?.because ?? null;
  const pullRequest = opened === undefined ? {} : { pullRequest: opened };
  const grade = gradeOf(experiment, isEvaluated);
  return [{ ...madeOf(experiment), grade, because, commit, branch, ...pullRequest }];
}

/** Of runs from before changes had a grade: that of the checks, or of what only a person has looked at. */
const gradeOf = ({ evaluation, checks }: Experiment, isEvaluated: boolean): Grade | null =>
  evaluation?.grade ?? (isEvaluated ? checks : 'weak');

function unshownChange(experiment: Experiment): readonly UnshownChange[] {
  const { evaluation } = experiment;
  if (!isUnshown(evaluation)) return [];
  const { apart, because = '', reason } = evaluation;
  const made = madeOf(experiment);
  return [
    apart
      ? { ...made, because, branch: apart.branch, commit: apart.commit }
      : { ...made, because: reason, branch: null, commit: null },
  ];
}

function refusedCandidate(experiment: Experiment): readonly RefusedCandidate[] {
  const { refusal, tiers, goesOn } = experiment;
  if (!refusal) return [];
  const ended = tiers.find(({ kind }) => kind === 'ended')?.detail ?? null;
  return [{ ...triedOf(experiment), ...refusal, ended, goesOn }];
}
