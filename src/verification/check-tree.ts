import { join } from 'node:path';
import type { GitCall } from '../git/process/git.ts';
import type { CheckResult, LevelResult } from '../../machines/events.ts';
import type { Check } from '../../machines/settings.ts';
import type { EffectCall } from '../actors/actor.ts';
import { boundedRead } from '../config/read-within.ts';
import { DEFAULT_CHECK_TIMEOUT_MS, timedByBaseline } from '../config/check-timeout.ts';
import { type CheckPlace, type RanLevels, runLevels } from '../actors/verify/verify-actor.ts';
import { leavesNothing } from '../evidence/reading-commands.ts';
import type { TestedLeg } from '../evidence/tests-of-checks.ts';
import { asCut, checkOfStep, type CutCheck } from '../evidence/steps/with-steps.ts';
import { treeSteps } from './tree-steps.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import type { Openings } from './openings.ts';
import type { LegPlace, ProbeWalls } from './proof-places.ts';

/** How the checks of a proof are run. */
export interface CheckedHow {
  /** The run whose work is checked. */
  readonly run: string;
  readonly checks: readonly Check[];
  readonly environment: readonly string[];
  readonly signal: AbortSignal;
  readonly delta: EffectCall['delta'];
  readonly probe?: ProbeWalls | undefined;
  /** The run at the top of those that go on with the checkout. */
  readonly keptFor?: string | undefined;
  /** Keeps long outputs whole, for the agent of the run: it may know all that these checks print. */
  readonly keepsOutput?: boolean;
  /** How long the checks took before any work. */
  readonly timesOf?: readonly LevelResult[] | undefined;
  /** Runs the levels behind one that fails, too. */
  readonly runsAll?: boolean;
  /** The checks that run step by step. Absent: none does. */
  readonly stepped?: Stepped | undefined;
  /** Whether the next level runs, from all that ran so far: in place of that. */
  readonly goesOn?: CheckPlace['goesOn'];
  /** Tests that runners which can are to run alone. */
  readonly only?: CheckPlace['only'];
  /** A file that the checks write, from the folder that they run in: its text is wanted. */
  readonly reads?: string;
}

/** The checks that run step by step, and the folder that they run in, from the top. */
export interface Stepped {
  readonly folder: string;
  readonly cut: readonly CutCheck[];
}

/** The checks on a tree, and what leads from its dependencies into the workspace. */
export interface RanTree extends TestedLeg {
  readonly levels: LevelResult[];
  readonly checks: readonly CheckResult[];
  readonly pointers: readonly string[];
  /** Grounds that something has written to while this ran, also where it put them back. */
  readonly touched: readonly string[];
  /** False: a command that prepares the checkout failed, and no check ran. */
  readonly prepared: boolean;
  /** The text that was wanted. Absent: the checks have not written it, or none was. */
  readonly read?: string;
}

const MAX_READ_BYTES = 32 * 1024 * 1024;

/** A command that prepares a checkout is a check that runs before the others: where it fails, none of them does. */
const preparing = (command: string): Check => ({
  level: 'L0',
  name: `prepare: ${command}`,
  command,
  timeoutMs: DEFAULT_CHECK_TIMEOUT_MS,
  network: true,
});

/** A tree that is checked out, and what preparing it came to. */
export interface PreparedPlace {
  readonly at: LegPlace;
  readonly made: RanLevels;
  /** False: a command that prepares the checkout failed. */
  readonly prepared: boolean;
}

/** Checks out a tree, and prepares it. Null: told to stop. */
export async function preparedPlace(
  leg: string,
  tree: string,
  { place, prepare }: Pick<PreparedLegs, 'place' | 'prepare'>,
  { run, environment, signal, delta }: Pick<CheckedHow, 'run' | 'environment' | 'signal' | 'delta'>,
  open?: Openings,
): Promise<PreparedPlace | null> {
  const at = await place(leg, tree, open);
  const made = await runLevels(prepare.map(preparing), { ...placeOf(at), run, environment }, { signal, delta });
  return made && { at, made, prepared: made.levels.every(({ passed }) => passed) };
}

const placeOf = ({ directory, elsewhere, reports }: LegPlace) => ({ directory, elsewhere, reports });

/** Checks out a tree, prepares it, and runs the checks on it. Null: told to stop. */
export async function ranTree(
  leg: string,
  tree: string,
  legs: Pick<PreparedLegs, 'place' | 'prepare' | 'call'>,
  how: CheckedHow,
  open?: Openings,
): Promise<RanTree | null> {
  const found = await preparedPlace(leg, tree, legs, how, open);
  if (found === null) return null;
  const { made, prepared, at } = found;
  const { pointers, touched } = at;
  if (!prepared) {
    return { ...made, checks: made.levels.flatMap((level) => level.checks), pointers, touched: [], prepared };
  }
  const { run, environment, signal, delta, runsAll = false, goesOn, reads, stepped, only, keepsOutput } = how;
  const asked = stepped ? await checksOn(tree, stepped, how.checks, legs.call) : how.checks;
  const checks = timedByBaseline(asked, how.timesOf);
  // As with `&&`, but where all is to be known.
  const stepOf = runsAll || goesOn || !stepped ? undefined : checkOfStep(stepped.cut);
  const ran = await runLevels(
    checks,
    { ...placeOf(at), run, environment, runsAll, goesOn, only, stepOf, keepsOutput },
    { signal, delta },
  );
  if (ran === null) return null;
  const checked = ran.levels.flatMap((level) => level.checks);
  const read = reads === undefined ? null : await boundedRead(join(at.elsewhere.written, reads), MAX_READ_BYTES);
  const text = read?.kind === 'text' ? { read: read.text } : {};
  return { ...ran, checks: checked, pointers, touched: await touched(), prepared, ...text };
}

/** A tree that says itself what its checks run, in a `package.json` that counts, is held to what it says. */
async function checksOn(
  tree: string,
  { folder, cut }: Stepped,
  checks: readonly Check[],
  call: GitCall,
): Promise<readonly Check[]> {
  const names = new Set(checks.map(({ name }) => name));
  const here = cut.filter(({ steps }) => steps.some(({ name }) => names.has(name)));
  if (here.length === 0) return checks;
  const whole = here.map(({ check }) => check);
  return asCut(checks, here, await treeSteps(whole, tree, folder, call));
}

export const passes = (levels: readonly LevelResult[]): boolean =>
  levels.length > 0 && levels.every(({ passed }) => passed);

/**
 * The checks up to the last level of those that are named: one check may build what another one runs, but a linter
 * builds nothing. `readers`: the words by which checks only read.
 */
export function checksUpTo(
  names: ReadonlySet<string>,
  checks: readonly Check[],
  { readers }: Pick<PreparedLegs['plan'], 'readers'>,
): readonly Check[] {
  const levels = checks.filter(({ name }) => names.has(name)).map(({ level }) => level);
  return checks.filter(
    ({ name, level }) => names.has(name) || (levels.some((last) => level <= last) && !leavesNothing(readers.get(name))),
  );
}
