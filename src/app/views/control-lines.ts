import type { CheckControl, FlickeringTests } from '../../../machines/recorded-proof.ts';
import type { JudgedControl } from '../../evidence/control/judge-control.ts';
import { head } from '../../text/excerpt.ts';
import { pathText } from '../../text/path-text.ts';

const MAX_PATH_CHARS = 80;
const MAX_NAMED = 5;

/** The part of a proof about its controls, and about tests that ran again. */
export interface ControlFacts {
  readonly control?: JudgedControl | undefined;
  readonly controls?: readonly CheckControl[] | undefined;
  readonly flaky?: readonly FlickeringTests[] | undefined;
  readonly unsteady?: readonly FlickeringTests[] | undefined;
}

const FILES = {
  held: 'tests that must fail did, in',
  broken: 'tests that must fail did not, in',
  unnoticed: 'the runner takes no test that must fail, in',
} as const;

const CHECKS: { readonly [is in CheckControl['is']]: string } = {
  held: 'a planted error is reported by',
  broken: 'a planted error was reported before the work, and is not with it, by',
  unnoticed: 'no planted error is reported by',
  bare: 'no false assertion could be added to the tests of',
  none: 'nothing could be added to what is checked by',
};

/** The files and the checks by what became of their controls, and the tests that did not go the same way twice. */
export function controlLines({ control, controls = [], flaky = [], unsteady = [] }: ControlFacts): readonly string[] {
  const files = (['held', 'broken', 'unnoticed'] as const).flatMap((which) => {
    const paths = (control?.[which] ?? []).map((path) => pathText(path, MAX_PATH_CHARS));
    return paths.length === 0 ? [] : [`control: ${FILES[which]} ${paths.join(', ')}`];
  });
  // Of checks with tests the files say it, but for what they cannot say.
  const own = controls.filter(({ by, is }) => by === 'reading' || is === 'bare' || is === 'none');
  const checks = [...Map.groupBy(own, ({ is }) => is)].map(
    ([is, some]) => `control: ${CHECKS[is]} ${some.map(({ check }) => head(check, MAX_PATH_CHARS)).join(', ')}`,
  );
  return [
    ...files,
    ...checks,
    ...testsLine('turned without the work, too, so they are not counted', flaky),
    ...testsLine('passed with the work, and failed when it was checked again', unsteady),
  ];
}

function testsLine(what: string, tests: readonly FlickeringTests[]): readonly string[] {
  const names = tests.flatMap((one) => one.tests.map(({ name }) => head(name, MAX_PATH_CHARS)));
  if (names.length === 0) return [];
  const others = tests.reduce((sum, { more = 0 }) => sum + more, names.length) - Math.min(names.length, MAX_NAMED);
  return [`${what}: ${names.slice(0, MAX_NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`];
}
