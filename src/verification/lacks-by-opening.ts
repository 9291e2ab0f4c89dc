import type { FlickeringTests } from '../../machines/recorded-proof.ts';
import { checksCured, curedIn } from '../evidence/check-cures.ts';
import { withoutFlickering } from '../evidence/flicker-tests.ts';
import type { Lacked } from '../evidence/lack-text.ts';
import { narrowed } from '../evidence/narrow.ts';
import { everythingOpen } from './open-files.ts';
import { curedByBuild, type RedTree } from './build-cure.ts';
import { CLOSED, type Openings } from './openings.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import { type CheckedHow, type RanTree, ranTree } from './check-tree.ts';
import { checkOfStep } from '../evidence/steps/with-steps.ts';
import { leavesNothing } from '../evidence/reading-commands.ts';

/** More runs of the failing checks, or longer ones, cost more than a shorter list of what they lack is worth. */
const MAX_TRIES = 12;
const MAX_TRYING_MS = 600_000;

/** The failing checks of a tree, run again with what a checkout does not have. */
export interface Opened {
  readonly all: Openings;
  /** Null: told to stop. */
  readonly ran: RanTree | null;
}

/** Runs them so. `most`: what they are not to have more of. */
export async function ranOpened(
  red: RedTree,
  subject: LegsSubject,
  legs: PreparedLegs,
  how: CheckedHow,
  most: Partial<Openings> = {},
): Promise<Opened> {
  const all = { ...(await everythingOpen(subject, legs)), ...most };
  return { all, ran: await ranTree('try-1', red.tree, legs, failingOf(red.ran, how, legs.plan), all) };
}

export interface LackedHow extends CheckedHow {
  readonly flickering: readonly FlickeringTests[];
  /** The folder whose manifest may name a build, which is tried once. Absent: none is. */
  readonly buildsIn?: string;
}

/**
 * Finds what checks lack that fail on a tree: where more of them passes with all that a checkout does not have, they
 * run again with less and less of it. Null: they fail all the same, or not each time.
 */
export async function lackedHere(
  { tree, ran: red }: RedTree,
  { all, ran: opened }: Opened,
  legs: PreparedLegs,
  { flickering, buildsIn, ...how }: LackedHow,
): Promise<Lacked | null> {
  const again = failingOf(red, how, legs.plan);
  const steady = (leg: RanTree) => ({ ...leg, tests: withoutFlickering(leg.tests, flickering) });
  let tries = 1;
  const curedBy = async (open: Openings): Promise<ReadonlySet<string>> => {
    tries += 1;
    const ran = await ranTree(`try-${tries}`, tree, legs, again, open);
    return ran ? curedIn(steady(red), steady(ran)) : new Set();
  };
  const open = opened ? curedIn(steady(red), steady(opened)) : new Set<string>();
  if (open.size === 0) return null;
  const atTimes = await curedBy(CLOSED);
  const cured = new Set([...open].filter((name) => !atTimes.has(name)));
  if (cured.size === 0) return null;
  const end = performance.now() + MAX_TRYING_MS;
  const suffices = async (less: Openings): Promise<boolean | null> => {
    if (how.signal.aborted || tries >= MAX_TRIES || performance.now() > end) return null;
    const by = await curedBy(less);
    return [...cured].every((name) => by.has(name));
  };
  const lacked = { ...(await leastOf(all, suffices)), checks: checksCured(cured) };
  const build = buildsIn === undefined ? null : await curedByBuild(lacked, { tree, ran: red }, legs, again, buildsIn);
  return { ...lacked, build };
}

/** Takes away what is not needed, one kind after the other, then what is not needed of each kind. */
async function leastOf(all: Openings, suffices: (less: Openings) => Promise<boolean | null>): Promise<Openings> {
  let least = all;
  const kinds = [
    ...(all.network ? [{ network: false }] : []),
    ...(all.homePaths.length > 0 ? [{ homePaths: [] }] : []),
    ...(all.ignored.length > 0 ? [{ ignored: [] }] : []),
  ];
  for (const less of kinds) {
    if (await suffices({ ...least, ...less })) least = { ...least, ...less };
  }
  const ignored = await narrowed(least.ignored, (part) => suffices({ ...least, ignored: part }));
  least = { ...least, ignored };
  const homePaths = await narrowed(least.homePaths, (part) => suffices({ ...least, homePaths: part }));
  return { ...least, homePaths };
}

/**
 * The checks that have failed on a tree, with all their steps: one step may build what another one runs, but a linter
 * that passed builds nothing.
 */
function failingOf(red: RanTree, how: CheckedHow, { readers }: PreparedLegs['plan']): CheckedHow {
  const steps = checkOfStep(how.stepped?.cut);
  const wholeOf = (name: string) => steps.get(name) ?? name;
  const failing = new Set(red.checks.flatMap(({ name, passed }) => (passed ? [] : [wholeOf(name)])));
  const passed = new Set(red.checks.flatMap((check) => (check.passed ? [check.name] : [])));
  const checks = how.checks.filter(
    ({ name }) => failing.has(wholeOf(name)) && !(passed.has(name) && leavesNothing(readers.get(name))),
  );
  return { ...how, stepped: undefined, checks };
}
