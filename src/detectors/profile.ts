import { z } from 'zod';
import type { DetectorChoice } from '../../machines/settings.ts';
import { type ConfigFault, faultAt, faultsOf } from '../config/fault.ts';
import { knownKeys } from '../config/known-keys.ts';
import { nearest } from '../config/nearest.ts';
import type { Detector } from './detector.ts';
import type { DetectorKind } from './kind.ts';
import { DETECTOR_KINDS } from './kinds.ts';
import { leftOutBy } from './left-out.ts';
import type { TraitsOf } from './traits.ts';

/** Three identical calls stop a turn in every profile: `off` turns off what is beyond that, and `-identical-calls` that. */
export const PROFILES: ReadonlyMap<string, readonly DetectorChoice[]> = new Map<string, readonly DetectorChoice[]>([
  [
    'default',
    [
      'identical-calls',
      { name: 'repeated-error', config: { nudge: 2, stop: 4 } },
      'monologue',
      // The third identical call ends the turn by itself.
      { name: 'cycles', config: { nudgeIdentical: 2, stopIdentical: 0, nudge: 3, stop: 5 } },
      'workspace-hash',
      'no-progress',
      'compaction-thrash',
      'handoff-cycle',
    ],
  ],
  ['strict', DETECTOR_KINDS.map(({ name }) => name)],
  ['off', ['identical-calls']],
]);

export type Chosen =
  | { readonly kind: 'detectors'; readonly detectors: readonly Detector[] }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/**
 * The detectors of a choice and no others, each once: a later word on one completes or replaces an earlier one, and `-NAME`
 * leaves one out, wherever it stands. They keep no state of their own and may be shared by all runs.
 *
 * @example
 * const chosen = detectorsOf(['default', { name: 'identical-calls', config: { threshold: 4 } }], noTraits);
 */
export function detectorsOf(choices: readonly DetectorChoice[], traits: TraitsOf): Chosen {
  const configs = new Map<string, { field: string; config: object }>();
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
      if (!KNOWN.includes(name)) {
        // A profile has no numbers of its own.
        const profiles = typeof choice === 'string' ? [...PROFILES.keys()] : [];
        const known = [...profiles, ...KNOWN];
        faults.push(faultAt(field, name, `one of: ${known.join(', ')}`, nearest(name, known)));
      }
      configs.set(name, { field, config: { ...configs.get(name)?.config, ...config } });
    }
  }
  const detectors = DETECTOR_KINDS.flatMap((kind) => {
    const chosen = configs.get(kind.name);
    if (!chosen || without.has(kind.name)) return [];
    const parsed = kind.config.safeParse(chosen.config);
    if (parsed.success) return [kind.create(parsed.data, traits)];
    faults.push(...numbersOf(kind, chosen.field, chosen.config, parsed.error));
    return [];
  });
  return faults.length > 0 ? { kind: 'refused', faults } : { kind: 'detectors', detectors };
}

const KNOWN = DETECTOR_KINDS.map(({ name }) => name);

/** What is left out must be a detector, and not one that the same choice names. */
function faultsOfLeavingOut(name: string, choices: readonly DetectorChoice[], field: string): ConfigFault[] {
  const word = `-${name}`;
  if (!KNOWN.includes(name)) {
    const known = KNOWN.map((one) => `-${one}`);
    return [faultAt(field, word, `one of: ${known.join(', ')}`, nearest(word, known))];
  }
  const isNamed = choices.some((choice) => (typeof choice === 'string' ? choice : choice.name) === name);
  return isNamed ? [faultAt(field, word, `either ${name} or ${word}, not both`)] : [];
}

/** The detectors that a choice adds, those of a profile one by one. */
export const namesIn = (choice: DetectorChoice): readonly string[] =>
  leftOutBy(choice) === null ? expanded(choice).map(({ name }) => name) : [];

function expanded(choice: DetectorChoice): readonly { readonly name: string; readonly config: object }[] {
  if (typeof choice !== 'string') return [choice];
  const profile = PROFILES.get(choice);
  return profile ? profile.flatMap(expanded) : [{ name: choice, config: {} }];
}

function numbersOf({ name, config: schema }: DetectorKind, field: string, config: object, { issues }: z.ZodError): ConfigFault[] {
  const [, index = '0'] = /\[(\d+)\]/.exec(field) ?? [];
  const placed = issues.map((issue) => ({ ...issue, path: ['detectors', Number(index), 'config', ...issue.path] }));
  const input = { detectors: { [index]: { config } } };
  const known = knownKeys(schema);
  return faultsOf(new z.ZodError(placed), input, (path) => known(path.slice(3))).map((fault) => ({
    ...fault,
    expected: `what the detector ${name} takes (${fault.expected})`,
  }));
}
