import { z } from 'zod';
import type { DetectorChoice } from '../../machines/settings.ts';
import { type ConfigFault, faultAt, faultsOf, knownKeys } from '../options/config-fault.ts';
import { nearest } from '../text/nearest.ts';
import type { Detector } from './detector.ts';
import type { DetectorKind } from './detector-kind.ts';
import { DETECTOR_KINDS, DETECTOR_NAMES } from './detector-kinds.ts';
import { leftOutBy } from './omission-text.ts';
import type { TraitsOf } from './traits.ts';

/**
 * Detectors with their thresholds, chosen together by one name. `default` is what the detectors' own files say,
 * `strict` is all of them, and `off` is those that watch every run: three identical calls stop a turn in every profile.
 */
export const PROFILES: ReadonlyMap<string, readonly DetectorChoice[]> = new Map<string, readonly DetectorChoice[]>([
  ['default', DETECTOR_KINDS.flatMap(inDefault)],
  ['strict', DETECTOR_NAMES],
  ['off', DETECTOR_KINDS.filter(({ inEveryRun }) => inEveryRun).map(({ name }) => name)],
]);

/** The choice of a run that names no detectors. */
export const DEFAULT_DETECTORS: readonly string[] = ['default'];

function inDefault({ name, inDefault: numbers }: DetectorKind): DetectorChoice[] {
  if (numbers === undefined) return [];
  return [numbers === true ? name : { name, config: numbers as DetectorConfig }];
}

type DetectorConfig = Exclude<DetectorChoice, string>['config'];

export type Chosen =
  | { readonly kind: 'detectors'; readonly detectors: readonly Detector[] }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/**
 * The chosen detectors, each once: a later choice of one completes or replaces an earlier one, and `-NAME` leaves one
 * out, at any place in the list. Detectors keep no state of their own, so all runs may share them.
 *
 * @example
 * const chosen = detectorsOf(['default', { name: 'identical-calls', config: { threshold: 4 } }], noTraits);
 */
export function detectorsOf(choices: readonly DetectorChoice[], traits: TraitsOf): Chosen {
  const configs = new Map<string, { index: number; config: object }>();
  const without = new Set<string>();
  const faults: ConfigFault[] = [];
  for (const [index, choice] of choices.entries()) {
    const field = `detectors[${index}]`;
    const leftOut = leftOutBy(choice);
    if (leftOut !== null) {
      without.add(leftOut);
      faults.push(...faultsOfLeavingOut(leftOut, choices, field));
      continue;
    }
    for (const { name, config } of expanded(choice)) {
      if (!DETECTOR_NAMES.includes(name)) {
        // A profile has no thresholds of its own.
        const profiles = typeof choice === 'string' ? [...PROFILES.keys()] : [];
        const known = [...profiles, ...DETECTOR_NAMES];
        faults.push(faultAt(field, name, `one of: ${known.join(', ')}`, nearest(name, known)));
      }
      configs.set(name, { index, config: { ...configs.get(name)?.config, ...config } });
    }
  }
  const known = waitingBy(configs.get('no-progress')?.config, traits);
  const detectors = DETECTOR_KINDS.flatMap((kind) => {
    const chosen = configs.get(kind.name);
    if (!chosen || without.has(kind.name)) return [];
    const parsed = kind.config.safeParse(chosen.config);
    if (parsed.success) return [kind.create(parsed.data, known)];
    faults.push(...numbersOf(kind, chosen.index, chosen.config, parsed.error));
    return [];
  });
  return faults.length > 0 ? { kind: 'refused', faults } : { kind: 'detectors', detectors };
}

/** All detectors take a wait for one, so the words of one of them are for all. */
function waitingBy(config: object | undefined, traits: TraitsOf): TraitsOf {
  const waiting = z.array(z.string()).safeParse(Reflect.get(config ?? {}, 'waitingWords'));
  return waiting.success ? (tool) => ({ ...traits(tool), waiting: waiting.data }) : traits;
}

/** A detector that is left out must exist, and the same choice must not name it. */
function faultsOfLeavingOut(name: string, choices: readonly DetectorChoice[], field: string): ConfigFault[] {
  const removal = `-${name}`;
  if (!DETECTOR_NAMES.includes(name)) {
    const known = DETECTOR_NAMES.map((one) => `-${one}`);
    return [faultAt(field, removal, `one of: ${known.join(', ')}`, nearest(removal, known))];
  }
  const isNamed = choices.some((choice) => (typeof choice === 'string' ? choice : choice.name) === name);
  return isNamed ? [faultAt(field, removal, `either ${name} or ${removal}, not both`)] : [];
}

/** The names of the detectors that a choice adds, those of a profile one by one. */
export const namesIn = (choice: DetectorChoice): readonly string[] =>
  leftOutBy(choice) === null ? expanded(choice).map(({ name }) => name) : [];

function expanded(choice: DetectorChoice): readonly { readonly name: string; readonly config: object }[] {
  if (typeof choice !== 'string') return [choice];
  const profile = PROFILES.get(choice);
  return profile ? profile.flatMap(expanded) : [{ name: choice, config: {} }];
}

function numbersOf(
  { name, config: schema }: DetectorKind,
  index: number,
  config: object,
  { issues }: z.ZodError,
): ConfigFault[] {
  const placed = issues.map((issue) => ({ ...issue, path: ['detectors', index, 'config', ...issue.path] }));
  const input = { detectors: { [index]: { config } } };
  const known = knownKeys(schema);
  return faultsOf(new z.ZodError(placed), input, (path) => known(path.slice(3))).map((fault) => ({
    ...fault,
    expected: `what the detector ${name} takes (${fault.expected})`,
  }));
}
