import type { RunSettings } from '../../../../machines/settings.ts';
import { faultSentence } from '../../../options/config-fault.ts';
import type { Detector } from '../../../detectors/detector.ts';
import { DEFAULT_DETECTORS, detectorsOf } from '../../../detectors/profile.ts';
import { withPolling } from '../../../detectors/poll-commands.ts';
import type { Attendant, DetectorServices } from '../../../ports/services.ts';
import type { TraitsOf } from '../../../detectors/traits.ts';

export interface DetectorOptions {
  /** Watch every run, beside those it has chosen. */
  readonly detectors?: readonly Detector[];
  /** Asks the person who attends the runs, before a detector ends one that names no judge. Absent: no person does. */
  readonly attendant?: Attendant;
}

/** The detectors of runs, and the person who is asked before one of them ends a run. */
export function detectorServices(
  traits: TraitsOf,
  { detectors: own = [], attendant }: DetectorOptions,
): DetectorServices {
  const chosenBy = (choices: RunSettings['detectors'] = [...DEFAULT_DETECTORS], polling: RunSettings['polling'] = []) =>
    detectorsOf(choices, withPolling(traits, polling));
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
