import { type Kind, MAIN, MORE } from './mutants.ts';
import { killerNames, mutants } from './trial.ts';
import type { Verdict } from './tried.ts';

/** Of negated guards and changed targets, at least so many are caught. */
export const LEAST_SHARE = 0.95;

export const isMain = ({ id }: Pick<Verdict, 'id'>): boolean =>
  (MAIN as readonly (Kind | undefined)[]).includes(mutants.get(id)?.kind);
const isCaught = ({ finding }: Judged): boolean => finding !== null && finding !== 'cut off';
export const shareOf = (verdicts: readonly Judged[]): number => verdicts.filter(isCaught).length / verdicts.length;

/** Whether a mutant lives, whatever was edited. */
export interface Judged {
  readonly id: string;
  readonly finding: { readonly killer: string; readonly why?: string } | 'cut off' | null;
}

/** Where a list of survivors is not what survives, of those that were tried. `known`: every mutant there is. */
export function disagreements(
  verdicts: readonly Judged[],
  listed: Readonly<Record<string, string>>,
  known: Pick<ReadonlySet<string>, 'has'> = mutants,
): string[] {
  const strangers = Object.keys(listed)
    .filter((id) => !known.has(id))
    .map((id) => `listed, but no mutant: ${id}`);
  const wrong = verdicts.filter((verdict) => isCaught(verdict) === verdict.id in listed);
  return [
    ...strangers,
    ...wrong.map(({ id, finding }) => `${saidOf(finding)}${id in listed ? ', but listed' : ', and not listed'}: ${id}`),
  ];
}

function saidOf(finding: Judged['finding']): string {
  if (finding === null) return 'lives';
  if (finding === 'cut off') return 'cut off';
  const { killer, why } = finding;
  return `caught by ${killer}${why === undefined ? '' : ` (${why})`}`;
}

/** How many mutants of each kind there were, and how many each check caught first. */
export function table(verdicts: readonly Verdict[]): string[] {
  const rows = [...MAIN, ...MORE].map((kind) =>
    row(
      kind,
      verdicts.filter(({ id }) => mutants.get(id)?.kind === kind),
    ),
  );
  return lines([
    ['edit', 'mutants', 'caught', 'share', ...killerNames],
    row('guards and targets', verdicts.filter(isMain)),
    ...rows,
    row('all', verdicts),
  ]);
}

function row(name: string, verdicts: readonly Verdict[]): string[] {
  const by = killerNames.map(
    (killer) =>
      verdicts.filter(({ finding }) => finding !== null && finding !== 'cut off' && finding.killer === killer).length,
  );
  return [
    name,
    String(verdicts.length),
    String(verdicts.filter(isCaught).length),
    percent(verdicts),
    ...by.map(String),
  ];
}

/** What each of those who look catches where it looks alone, and what some of them catch together. */
export function tableAlone(verdicts: readonly Verdict[]): string[] {
  const together = ['paths', 'invariants'] as const;
  const [main, all] = [verdicts.filter(isMain), verdicts];
  const caughtBy = (some: readonly Verdict[], killers: readonly string[]): string => {
    const ids = new Set(some.map(({ id }) => id));
    const caught = new Set(
      some
        .filter((verdict) => isCaught(verdict) && verdict.by.some((killer) => killers.includes(killer)))
        .map(({ id }) => id),
    );
    return `${((100 * caught.size) / ids.size).toFixed(1)} %`;
  };
  const rows = [...killerNames.map((killer) => [killer]), [...together]].map((killers) => [
    killers.join(' or '),
    caughtBy(main, killers),
    caughtBy(all, killers),
  ]);
  return lines([['caught by', 'guards and targets', 'all'], ...rows]);
}

const percent = (verdicts: readonly Verdict[]): string =>
  verdicts.length === 0 ? '' : `${(100 * shareOf(verdicts)).toFixed(1)} %`;

export const lines = ([head = [], ...rows]: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
