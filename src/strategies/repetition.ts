import type { StrategyFinding } from './loop-decision.ts';
import { contentHash, measure } from './report.ts';
import { similarity } from './similarity.ts';
import type { IterationCompleteEvent, IterationSummary } from './strategy.ts';

/** The findings with which the built-in strategies say that a loop repeats itself. */
export const REPETITIONS: ReadonlySet<string> = new Set([
  'content-hash',
  'similar-output',
  'convergence',
  'no-progress',
]);

const KEPT_HASHES = 5;
const SAME_IN_A_ROW = 3;

/** The content hashes of the last iterations, this one included; null where the workspace is unknown. */
export function recentHashes(event: IterationCompleteEvent): (string | null)[] {
  const before = event.previousIterations.map(({ contentHash }) => contentHash ?? null);
  return [...before, hashOf(event)].slice(-KEPT_HASHES);
}

/** Whether this iteration left the same workspace and the same results as the one before it. */
export function isUnchanged(event: IterationCompleteEvent): boolean {
  const [before, now] = recentHashes(event).slice(-2);
  return now !== undefined && now !== null && now === before;
}

/** The last three iterations left the same workspace with the same results. */
export function sameContent(event: IterationCompleteEvent): StrategyFinding | null {
  const last = recentHashes(event).slice(-SAME_IN_A_ROW);
  if (last.length < SAME_IN_A_ROW || last.some((hash) => hash === null || hash !== last[0])) return null;
  const message = `the last ${SAME_IN_A_ROW} iterations left the same files and the same results`;
  return { detector: 'content-hash', message, iterations: lastIterations(event, SAME_IN_A_ROW) };
}

/**
 * The last three outputs are at least as similar as `threshold`. The output of failed attempts does not count where the
 * files kept changing.
 */
export function sameOutput(event: IterationCompleteEvent, threshold: number): StrategyFinding | null {
  const last = lookBack(event, SAME_IN_A_ROW);
  if (!last || similarityOf(last) < threshold) return null;
  const isMoving = last.some(({ workspace }) => workspace !== last[0]?.workspace);
  if (isMoving && last.some(({ agentSuccess }) => !agentSuccess)) return null;
  const message = `the last ${SAME_IN_A_ROW} answers are the same`;
  return { detector: 'similar-output', message, iterations: lastIterations(event, SAME_IN_A_ROW) };
}

/** The last `windowSize` iterations fail the same checks and tests, with nearly the same answers. */
export function converged(
  event: IterationCompleteEvent,
  windowSize: number,
  threshold: number,
): StrategyFinding | null {
  const last = lookBack(event, windowSize);
  if (!last || last.some(({ results }) => results !== last[0]?.results) || similarityOf(last) < threshold) return null;
  const hasFailed = !event.agentSuccess || event.verificationPassed === false;
  const alike = hasFailed ? 'fail in the same way' : 'were not checked';
  const message = `the last ${windowSize} iterations ${alike}, and their answers hardly differ`;
  return { detector: 'convergence', message, iterations: lastIterations(event, windowSize) };
}

/** How similar the newest output is to the least similar of the others; 1 where there is no other. */
export function similarityOf(outputs: readonly { readonly output: string }[]): number {
  const newest = outputs.at(-1)?.output ?? '';
  return Math.min(1, ...outputs.slice(0, -1).map(({ output }) => similarity(output, newest)));
}

/** How often the loop went in circles, continued from the metadata of the iteration before. */
export function loopCount({ previousIterations }: IterationCompleteEvent, isCircle: boolean): number {
  const metadata: unknown = previousIterations.at(-1)?.metadata;
  const before: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'loopCount') : 0;
  return (Number.isSafeInteger(before) ? Number(before) : 0) + Number(isCircle);
}

interface Observation {
  readonly output: string;
  readonly agentSuccess: boolean;
  /** The failures as text that is equal for equal failures. */
  readonly results: string;
  readonly workspace: string | null;
}

/** The last iterations, this one included; null where there are fewer. Unmeasured members count as empty. */
export function lookBack(event: IterationCompleteEvent, count: number): Observation[] | null {
  const before = event.previousIterations.slice(-(count - 1)).map(observationOf);
  if (before.length < count - 1) return null;
  const { agentOutput: output, agentSuccess, workspaceHash } = event;
  const { failingChecks, failingTests } = measure(event.verificationReport, 0);
  return [...before, observationOf({ output, agentSuccess, workspaceHash, failingChecks, failingTests })];
}

type Shown = Pick<IterationSummary, 'output' | 'agentSuccess' | 'workspaceHash' | 'failingChecks' | 'failingTests'>;

/** A caller that drives a strategy directly may leave out members that a run knows. */
function observationOf({
  output,
  agentSuccess,
  workspaceHash,
  failingChecks,
  failingTests,
}: Partial<Shown>): Observation {
  const failing = [failingChecks ?? [], failingTests ?? []].map((names) => names.toSorted());
  const results = JSON.stringify([agentSuccess ?? false, ...failing]);
  return { output: output ?? '', agentSuccess: agentSuccess ?? false, results, workspace: workspaceHash ?? null };
}

function hashOf({ verificationReport, workspaceHash }: IterationCompleteEvent): string | null {
  return typeof workspaceHash === 'string' ? contentHash(verificationReport, workspaceHash) : null;
}

const lastIterations = ({ iteration }: IterationCompleteEvent, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.max(0, iteration - count + 1 + index));
