import type { RunSettings } from '../../../../machines/settings.ts';
import { faultSentence } from '../../../options/config-fault.ts';
import type { Detector } from '../../../detectors/detector.ts';
import { type Chosen, DEFAULT_DETECTORS, detectorsOf } from '../../../detectors/profile.ts';
import { withPolling } from '../../../detectors/poll-commands.ts';
import type { Attendant, DetectorServices } from '../../../ports/services.ts';
import type { TraitsOf } from '../../../detectors/traits.ts';

export interface DetectorOptions {
  /** Watch every run, beside those it has chosen. */
  readonly detectors?: readonly Detector[];
  /** Asks the person who attends the runs, before a detector ends one that names no judge. Absent: no person does. */
  readonly attendant?: Attendant;
}

/** The choices whose detectors are kept. */
const MAX_KEPT = 64;

/** The detectors of runs, and the person who is asked before one of them ends a run. */
export function detectorServices(
  traits: TraitsOf,
  { detectors: own = [], attendant }: DetectorOptions,
): DetectorServices {
  // Detectors keep no state of their own: a judge that is asked about many runs has the same ones in each.
  const kept = new Map<string, Chosen>();
  const chosenBy = (
    choices: RunSettings['detectors'] = [...DEFAULT_DETECTORS],
    polling: RunSettings['polling'] = [],
  ) => {
    const key = JSON.stringify([choices, polling]);
    const known = kept.get(key);
    if (known) return known;
    const chosen = detectorsOf(choices, withPolling(traits, polling));
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, chosen);
    return chosen;
  };
  return {
    detectorsOf: (choices, polling) => {
      const chosen = chosenBy(choices, polling);
      if (chosen.kind === 'refused') throw new Error(chosen.faults.map(faultSentence).join('; '));
      return [...chosen.detectors, ...own];
    },
    attendant: attendant ?? null,
    detectorFaults: (choices) => {
      const chosen = chosenBy(choices);
      return chosen.kind === 'refused' ? chosen.faults : [];
    },
  };
}
