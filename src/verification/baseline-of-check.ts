import type { CheckResult, EventOf } from '../../machines/events.ts';
import type { CheckSteps, HeldOutSettings } from '../../machines/settings.ts';
import { MAX_NAMED } from '../../machines/recorded-proof.ts';
import { baseTests } from '../evidence/base-tests.ts';
import { CANNOT_CHECK, cannotRun, whyNotRun } from '../evidence/cannot-run.ts';
import { checksWithoutChange, flickeringTests, recordedFlickering } from '../evidence/flicker-tests.ts';
import { lackedText } from '../evidence/lack-text.ts';
import { EnvironmentFault } from '../log/environment-fault.ts';
import { lackedHere, ranOpened } from './lacks-by-opening.ts';
import { ranHeldOut } from './run-held-out.ts';
import type { LegsSubject } from './legs-subject.ts';
import { inProof, type PreparedLegs } from './prepare-legs.ts';
import { WallsMissingError } from './strictness.ts';
import { surroundingsNow } from './surroundings.ts';
import { type CheckedHow, passes, type RanTree, ranTree } from './check-tree.ts';

type Baseline = EventOf<'baseline.taken'>['payload'];

const MAX_LINE_CHARACTERS = 500;
/** Checks that take longer run once before any work. */
const MAX_REPEATED_MS = 10_000;

export interface BaselineHow extends CheckedHow {
  readonly heldOut?: HeldOutSettings | undefined;
  /** The checks of several steps, which are among the checks as these. */
  readonly steps?: readonly CheckSteps[] | undefined;
  /** Where all checks pass there is nothing to do. */
  readonly requireRed?: boolean | undefined;
}

/** All checks on the tree that a run begins with. Null: told to stop. Throws a `GitError`. */
export function takenBaseline(subject: LegsSubject, how: BaselineHow): Promise<Baseline | null> {
  return withWalls(subject, () => ranOnBase(subject, how));
}

/**
 * Required walls that cannot stand, and processes that the system does not start, are told like a check that cannot
 * run: before a model is asked.
 */
async function withWalls({ base }: LegsSubject, take: () => Promise<Baseline | null>): Promise<Baseline | null> {
  try {
    return await take();
  } catch (error) {
    const isUnable = error instanceof EnvironmentFault && !error.hasStarted;
    if (!isUnable && !(error instanceof WallsMissingError)) throw error;
    const fault = { code: CANNOT_CHECK, message: error.message };
    return { passed: false, workspace: base, levels: [], tests: [], fault };
  }
}

function ranOnBase(subject: LegsSubject, how: BaselineHow): Promise<Baseline | null> {
  return inProof(subject, how, async (legs) => {
    const surroundings = surroundingsNow(subject, legs);
    const ran = await ranTree('start', subject.base, legs, { ...how, runsAll: true, keepsOutput: true });
    if (ran === null) return null;
    const plainCpuMs = legs.cpuMs();
    await legs.keepBuilt('start');
    const { levels, tests } = ran;
    const heldOut = how.heldOut && ran.prepared ? await heldOutAtStart(subject, legs, how.heldOut, how) : undefined;
    if (heldOut === null) return null;
    const cannot =
      cannotCheck(ran.levels, ran.prepared) ??
      (heldOut ? cannotCheck([{ level: 'held-out', checks: heldOut.failing }], true) : null);
    const red = { tree: subject.base, ran };
    const opened = cannot !== null || passes(levels) ? null : await ranOpened(red, subject, legs, how);
    const flickering = cannot === null ? await flickeringHere(ran, opened?.ran ?? null, subject, legs, how) : [];
    const lackedHow = { ...how, flickering, buildsIn: subject.origin.prefix };
    const lacked = opened && (await lackedHere(red, opened, legs, lackedHow));
    const nothingRed = how.requireRed && passes(levels) ? NOTHING_RED : null;
    const message = cannot ?? nothingRed ?? (lacked && lackedText(lacked, 'before anything is changed'));
    if (how.signal.aborted) return null;
    const base = recordedFlickering(baseTests(tests), flickering);
    const fault = message === null ? {} : { fault: { code: CANNOT_CHECK, message } };
    return {
      passed: passes(levels),
      workspace: subject.base,
      levels,
      tests: base.tests,
      ...fault,
      surroundings: await surroundings,
      ...(ran.touched.length > 0 ? { touched: ran.touched.slice(0, MAX_NAMED) } : {}),
      ...(flickering.length > 0 ? { flickering: base.flickering } : {}),
      ...(heldOut ? { heldOut: heldOut.recorded } : {}),
      ...costOf(legs.cpuMs(), plainCpuMs),
      ...(how.steps?.length ? { steps: [...how.steps] } : {}),
    };
  });
}

/**
 * The tests that differ in a second run, where that is cheap and the first has named any. Where all checks that have
 * tests have come to the same in an open checkout, that was the second run. All checks run: one may build for the next.
 */
async function flickeringHere(
  ran: RanTree,
  opened: RanTree | null,
  subject: LegsSubject,
  legs: PreparedLegs,
  how: CheckedHow,
) {
  const steady = opened ? checksWithoutChange(ran, opened) : new Set();
  const isSteady = [...ran.tests.keys()].every((name) => steady.has(name));
  const tookMs = ran.checks.reduce((sum, { durationMs }) => sum + durationMs, 0);
  if (isSteady || tookMs > MAX_REPEATED_MS) return [];
  const again = await ranTree('start', subject.base, legs, { ...how, runsAll: true, delta: () => {} });
  return again ? flickeringTests(ran.tests, again.tests) : [];
}

const heldOutAtStart = (subject: LegsSubject, legs: PreparedLegs, heldOut: HeldOutSettings, how: CheckedHow) =>
  ranHeldOut([{ tree: subject.base, entries: legs.plan.base }], legs, { ...how, heldOut, before: [] });

const costOf = (cpuMs: number | null, plainCpuMs: number | null): Pick<Baseline, 'cost'> =>
  cpuMs === null || plainCpuMs === null ? {} : { cost: { cpuMs, plainCpuMs } };

interface RanChecks {
  readonly level: string;
  readonly checks: readonly CheckResult[];
}

/** Why the checks cannot run, and what to do. Null: they can. */
function cannotCheck(levels: readonly RanChecks[], prepared: boolean): string | null {
  const lost = levels.flatMap(({ level, checks }) =>
    checks
      .filter((check) => !prepared || cannotRun(check))
      .map(({ name, output }) => `${prepared ? `${level}/` : ''}${name}: ${lineOf({ output })}`),
  );
  if (lost.length === 0) return null;
  const what = prepared ? 'what a check runs is not there' : 'a checkout cannot be prepared';
  return `${what}, before anything is changed: ${lost.join('; ')}. ${MEND}`;
}

const NOTHING_RED =
  'All checks pass before anything is changed, and the run is to begin only where one fails. Add a check or a test that ' +
  'fails without the work, or leave out --require-red';

const MEND =
  'Checks run in a clean checkout, without files that git ignores, but for installed dependencies, and without the ' +
  'home. Give it the files with --provide, have it made ready with --prepare, mend the command, or let the checks run ' +
  'in the folder itself, with --check-in workspace';

const lineOf = (check: Pick<CheckResult, 'output'>): string =>
  whyNotRun(check).slice(0, MAX_LINE_CHARACTERS).toWellFormed();
