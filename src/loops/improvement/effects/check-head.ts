import { treeEntries } from '../../../git/tree-change.ts';
import { fileIn } from '../discovery/finding-facts.ts';
import { foundInChecks } from '../discovery/check-errors.ts';
import { lossesOf } from '../worse-than-head.ts';
import { pathOf } from '../../../verification/trees-by-path.ts';
import { type Baseline, baselineOf, type Integration } from './head-after-bring.ts';
import type { Check } from '../../../../machines/settings.ts';
import type { FindingsOf } from '../evaluation/head-losses.ts';
import type { FoundIn } from '../evaluation/resolve-by-checks.ts';
import type { PreparedLegs } from '../../../verification/prepare-legs.ts';

/** Reads what checks show of the trees of legs. */
export function foundInLegs({ plan }: Pick<PreparedLegs, 'plan'>, checks: readonly Check[]): FoundIn {
  const [, work] = plan.trees;
  const place = fileIn(new Set([...plan.base.keys(), ...work.keys()]));
  return (tree) => foundInChecks(tree, checks, place);
}

/** What compilers and linters say in one check. */
export const errorsIn =
  (foundIn: FoundIn): FindingsOf =>
  (check) => {
    const found = foundIn({ levels: [{ level: 'L0', passed: check.passed, checks: [check] }], tests: [] });
    const errors = [...found].filter(([, { source }]) => source === 'type-errors' || source === 'lint');
    return new Map(errors.map(([fingerprint, { title }]) => [fingerprint, title]));
  };

/** How the checks went on a tree that is to be the head, and why it must not be. */
export interface CheckedHead {
  /** Null: the run has no checks. */
  readonly baseline: Baseline | null;
  /** Null: it is not worse than the head. */
  readonly worse: string | null;
}

const MAX_NAMED = 5;

/** Runs the checks on a tree, and again where it seems worse than the head: both times count. Null: stopped. */
export async function checkedHead(tree: string, integration: Integration): Promise<CheckedHead | null> {
  const { old, call } = integration;
  const first = await baselineOf(tree, integration);
  if (call.signal.aborted) return null;
  if (!first || first.fault || !old) return { baseline: first, worse: faultText(first) };
  const losses = await lossesIn(tree, old, integration);
  const lost = losses(first);
  if (lost.size === 0) return { baseline: first, worse: null };
  const again = await baselineOf(tree, integration);
  if (call.signal.aborted || !again) return null;
  if (again.fault) return { baseline: again, worse: faultText(again) };
  const lostAgain = losses(again);
  const both = [...lost].filter(([key]) => lostAgain.has(key)).map(([, text]) => text);
  const baseline = lostAgain.size > lost.size ? first : again;
  if (both.length === 0) return { baseline, worse: null };
  const more = both.length > MAX_NAMED ? ` and ${both.length - MAX_NAMED} more` : '';
  return { baseline, worse: `on the integrated tree: ${both.slice(0, MAX_NAMED).join('; ')}${more}` };
}

const faultText = (baseline: Baseline | null): string | null =>
  baseline?.fault ? `the checks cannot run on the integrated tree: ${baseline.fault.message}` : null;

async function lossesIn(tree: string, old: Baseline, { order }: Integration) {
  const files = [...(await treeEntries(tree, order.call)).keys()].map(pathOf);
  const place = fileIn(files);
  const findingsOf = errorsIn((checked) => foundInChecks(checked, order.settings.checks, place));
  return (now: Baseline) => lossesOf(old, now, findingsOf);
}
