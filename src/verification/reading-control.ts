import { randomBytes } from 'node:crypto';
import { textOf } from '../git/object-text.ts';
import { writeChanged } from '../git/worktree/true-trees.ts';
import type { CheckResult } from '../../machines/events.ts';
import type { CheckControl } from '../../machines/recorded-proof.ts';
import type { Check } from '../../machines/settings.ts';
import { isNoticed, plantedErrors } from '../evidence/control/plant-errors.ts';
import { filesToPlantIn } from '../evidence/control/plant-places.ts';
import { leavesNothing } from '../evidence/reading-commands.ts';
import { isFile } from '../evidence/tree-entry.ts';
import { changedPaths, type NamedEntries } from './trees-by-path.ts';
import type { ControlledLegs } from './run-control.ts';
import { type CheckedHow, ranTree, type RanTree } from './check-tree.ts';

const LABEL_BYTES = 6;

export interface PlantedHow extends Pick<CheckedHow, 'run' | 'checks' | 'environment' | 'signal'> {
  /** The first leg. */
  readonly first: RanTree;
  /** The results of the checks on the start. */
  readonly atStart: readonly CheckResult[];
}

/** A tree in which an error is planted, and what the check came to without it. */
interface Soil {
  readonly tree: string;
  readonly entries: NamedEntries;
  readonly before: Pick<CheckResult, 'passed' | 'output'>;
}

type Is = CheckControl['is'];

/**
 * Finds out whether a check that only reads still finds errors in the work: one is planted in files that it reads, the
 * softest that it reports. Files in which it found fault before come first, then changed ones. What it reports in the
 * start, and not in the work, the work hides from it. Null: told to stop.
 */
export async function ranPlanted(check: Check, legs: ControlledLegs, how: PlantedHow): Promise<Is | null> {
  const { base, baseTree, trees, readers, reading, grounds } = legs.plan;
  const [first] = trees;
  const before = how.first.checks.find(({ name }) => name === check.name);
  const start = how.atStart.find(({ name }) => name === check.name);
  // What a check is made of does not report an error in itself.
  const isOwn = (path: string) => !reading.has(check.name) && grounds.has(path);
  const paths = [...first].flatMap(([path, entry]) => (isFile(entry) && !isOwn(path) ? [path] : []));
  // The work may hide from a check where it found fault, without a change there.
  const faulted = start?.passed === false ? paths.filter((path) => start.output.includes(path)) : [];
  const differing = changedPaths(base, first);
  const isChanged = (path: string) => differing.has(path) && base.get(path)?.hash !== first.get(path)?.hash;
  const changed = new Set([...faulted, ...paths.filter(isChanged)]);
  const words = readers.get(check.name) ?? [];
  const files = filesToPlantIn({ paths: [...new Set([...faulted, ...paths])], words, changed });
  if (!before || files.length === 0) return 'none';
  const soils = {
    work: { tree: legs.plan.first, entries: first, before },
    start: start && { tree: baseTree, entries: base, before: start },
  };
  const found: Is[] = [];
  for (const path of files) {
    // Each that changed is looked at: a check that finds an error elsewhere may not find one there.
    if (found.includes('held') && !changed.has(path)) break;
    const is = await plantedIn(path, check, soils, legs, how);
    if (is === null) return null;
    found.push(is);
  }
  return (['broken', 'held'] as const).find((is) => found.includes(is)) ?? 'unnoticed';
}

async function plantedIn(
  path: string,
  check: Check,
  soils: { readonly work: Soil; readonly start: Soil | undefined },
  legs: ControlledLegs,
  how: PlantedHow,
): Promise<Is | null> {
  const label = `k${randomBytes(LABEL_BYTES).toString('hex')}`;
  const softness = plantedErrors(path, '', label).length;
  for (let at = 0; at < softness; at += 1) {
    const onWork = await isFound(path, at, label, soils.work);
    if (onWork !== false) return onWork && 'held';
    const onStart = soils.start ? await isFound(path, at, label, soils.start) : false;
    if (onStart !== false) return onStart && 'broken';
  }
  return 'unnoticed';

  /** Null: told to stop. */
  async function isFound(file: string, index: number, word: string, soil: Soil): Promise<boolean | null> {
    const entry = soil.entries.get(file);
    const text = isFile(entry) ? await textOf(entry.hash, legs.call) : null;
    const planted = text === null ? undefined : plantedErrors(file, text, word)[index];
    if (!entry || planted === undefined) return false;
    const tree = await writeChanged(soil.tree, new Map([[entry.name, { text: planted }]]), legs.call);
    const checks = [...how.checks.slice(0, how.checks.indexOf(check)).filter(builds), check];
    const { run, environment, signal } = how;
    const quiet = { run, environment, signal, checks, runsAll: true, delta: () => {} };
    const ran = await ranTree('control', tree, legs, quiet);
    const after = ran?.checks.find(({ name }) => name === check.name);
    return ran && after !== undefined && isNoticed({ before: soil.before, after, label: word, path: file });
  }

  /** A check may read what one before it has built. */
  function builds({ name }: Check): boolean {
    return !how.first.tests.get(name)?.tests.length && !leavesNothing(legs.plan.readers.get(name));
  }
}
