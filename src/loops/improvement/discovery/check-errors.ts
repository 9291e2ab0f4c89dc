import type { CheckResult } from '../../../../machines/events.ts';
import type { Check } from '../../../../machines/settings.ts';
import { plain } from '../../../text/one-line.ts';
import { excerptOfLines } from '../../../text/excerpt.ts';
import { checksOf, type CheckedTree, failingTests, skippedTests } from './baseline-tests.ts';
import { type ErrorKind, errorKind } from './error-kind.ts';
import { type FileIn, type Found, withoutPlaces, RULE_SCORES, discoveryOf } from './finding-facts.ts';
import { type PrintedFinding, printedFindings } from './finding-lines.ts';
import type { Discovery } from '../../../../machines/improvement-facts.ts';

const MAX_PLACES = 20;
const MAX_OUTPUT_CHARS = 3_000;

/** The type errors and lint findings that the checks of a tree have printed, and checks that fail and name nothing. */
export interface CheckErrors {
  readonly types: readonly Found[];
  readonly lint: readonly Found[];
  /** Checks of neither kind that fail, and whose failing tests are not known. */
  readonly others: readonly Found[];
}

/**
 * Reads the output of checks. The same error of one rule in one file is one finding, wherever in the file it is: an
 * edit above must not make another one of it.
 */
export function checkErrors(tree: CheckedTree, checks: readonly Pick<Check, 'name' | 'command'>[], fileIn: FileIn) {
  const commands = new Map(checks.map(({ name, command }) => [name, command]));
  const all = checksOf(tree).map((result) => errorsIn(result, commands.get(result.name) ?? '', fileIn));
  return {
    types: all.flatMap(({ types }) => types),
    lint: all.flatMap(({ lint }) => lint),
    others: all.flatMap(({ others }) => others),
  } satisfies CheckErrors;
}

function errorsIn(result: CheckResult, command: string, fileIn: FileIn): CheckErrors {
  const kind = errorKind({ name: result.name, command });
  const printed = printedFindings(plain(result.output)).map((one) => ({ ...one, kind: kindOf(one, kind) }));
  const named = { types: founds(printed, 'types', result, fileIn), lint: founds(printed, 'lint', result, fileIn) };
  const isTold =
    result.passed || named.types.length + named.lint.length > 0 || (result.tests && result.tests.failed > 0);
  if (isTold) return { ...named, others: [] };
  const whole = wholeCheck(result, kind);
  return { ...named, others: [], ...(kind === null ? { others: [whole] } : { [kind]: [whole] }) };
}

/** A code of TypeScript is one whatever prints it, such as a script that compiles before it tests. */
const kindOf = ({ rule }: PrintedFinding, kind: ErrorKind | null): ErrorKind | null =>
  rule !== null && /^TS\d+$/.test(rule) ? 'types' : kind;

type Sorted = PrintedFinding & { readonly kind: ErrorKind | null };

function founds(printed: readonly Sorted[], kind: ErrorKind, result: CheckResult, fileIn: FileIn): readonly Found[] {
  const groups = new Map<string, PrintedFinding[]>();
  for (const one of printed.filter((finding) => finding.kind === kind)) {
    const key = `${placeOf(one, fileIn)}\n${one.rule ?? ''}\n${withoutPlaces(one.message)}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].flatMap(([identity, same]) => foundOf(identity, same, { kind, result, fileIn }));
}

interface Sorting {
  readonly kind: ErrorKind;
  readonly result: CheckResult;
  readonly fileIn: FileIn;
}

function foundOf(identity: string, same: readonly PrintedFinding[], { kind, result, fileIn }: Sorting): Found[] {
  const [first] = same;
  if (!first) return [];
  const path = placeOf(first, fileIn);
  const file = fileIn(first.path);
  const rule = first.rule === null ? '' : `${first.rule}: `;
  // What a check that passes prints is a warning, unless it says otherwise.
  const isWarning = (first.severity ?? (result.passed ? 'warning' : 'error')) === 'warning';
  const lines = same.slice(0, MAX_PLACES).map(({ line }) => `${path}:${line}`);
  const more = same.length > MAX_PLACES ? ` and ${same.length - MAX_PLACES} more` : '';
  const error = kind === 'types' ? RULE_SCORES.typeError : RULE_SCORES.lintError;
  return [
    {
      source: kind === 'types' ? 'type-errors' : 'lint',
      title: `${path}: ${rule}${first.message}`,
      summary: `${rule}${first.message}\nAt ${lines.join(', ')}${more} (check ${result.name}).`,
      score: isWarning ? RULE_SCORES.lintWarning : error,
      identity,
      ...(file === null ? {} : { file }),
      check: result.name,
    },
  ];
}

function wholeCheck({ name, output, exitCode }: CheckResult, kind: ErrorKind | null): Found {
  const scores = { types: RULE_SCORES.typeError, lint: RULE_SCORES.lintError };
  const sources = { types: 'type-errors', lint: 'lint' } as const;
  const shown = excerptOfLines(plain(output), MAX_OUTPUT_CHARS);
  const status = exitCode === null ? '' : ` with status ${exitCode}`;
  return {
    source: kind === null ? 'failing-tests' : sources[kind],
    title: `Check fails: ${name}`,
    summary: `The check ${name} fails${status}. The end of its output:\n${shown}`,
    score: kind === null ? RULE_SCORES.failingTest : scores[kind],
    identity: `${name}\nfails`,
    check: name,
  };
}

/** For people, and for the identity: a path that no file of the workspace has stays as it was printed. */
const placeOf = ({ path }: PrintedFinding, fileIn: FileIn): string =>
  fileIn(path) ?? (/^([\\/]|[A-Za-z]:)/.test(path) ? (path.split(/[\\/]/).at(-1) ?? path) : path.replace(/^\.\//, ''));

/**
 * All that the checks of a tree show, by fingerprint: whether a finding is gone from another tree is told by looking it
 * up there.
 *
 * @example
 * const isGone = !foundInChecks(after, settings.checks, fileIn(files)).has(discovery.fingerprint);
 */
export function foundInChecks(
  tree: CheckedTree,
  checks: readonly Pick<Check, 'name' | 'command'>[],
  fileIn: FileIn,
): ReadonlyMap<string, Discovery> {
  const { types, lint, others } = checkErrors(tree, checks, fileIn);
  const all = [...failingTests(tree), ...skippedTests(tree), ...types, ...lint, ...others].map(discoveryOf);
  return new Map(all.map((one) => [one.fingerprint, one]));
}
