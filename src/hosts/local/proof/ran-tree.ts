import { join } from 'node:path';
import type { CheckResult, LevelResult } from '../../../../machines/events.ts';
import type { Check } from '../../../../machines/settings.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { boundedRead } from '../../../config/bounded-read.ts';
import { DEFAULT_CHECK_TIMEOUT_MS } from '../../../config/defaults.ts';
import { type CheckPlace, type RanLevels, runLevels } from '../../../actors/verify/verify-actor.ts';
import type { TestedLeg } from '../../../evidence/checked-tests.ts';
import type { PreparedLegs } from './prepared-legs.ts';
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
  /** Runs the levels behind one that fails, too. */
  readonly runsAll?: boolean;
  /** Whether the next level runs, from all that ran so far: in place of that. */
  readonly goesOn?: CheckPlace['goesOn'];
  /** Tests that runners which can are to run alone. */
  readonly only?: CheckPlace['only'];
  /** A file that the checks write, from the folder that they run in: its text is wanted. */
  readonly reads?: string;
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
  legs: Pick<PreparedLegs, 'place' | 'prepare'>,
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
  const { run, checks, environment, signal, delta, runsAll = false, goesOn, reads, only } = how;
  const ran = await runLevels(checks, { ...placeOf(at), run, environment, runsAll, goesOn, only }, { signal, delta });
  if (ran === null) return null;
  const checked = ran.levels.flatMap((level) => level.checks);
  const read = reads === undefined ? null : await boundedRead(join(at.elsewhere.written, reads), MAX_READ_BYTES);
  const text = read?.kind === 'text' ? { read: read.text } : {};
  return { ...ran, checks: checked, pointers, touched: await touched(), prepared, ...text };
}

export const passes = (levels: readonly LevelResult[]): boolean =>
  levels.length > 0 && levels.every(({ passed }) => passed);

/** The checks up to the last level of those that are named: one check may build what another one runs. */
export function checksUpTo(names: ReadonlySet<string>, checks: readonly Check[]): readonly Check[] {
  const levels = checks.filter(({ name }) => names.has(name)).map(({ level }) => level);
  return checks.filter(({ level }) => levels.some((last) => level <= last));
}
