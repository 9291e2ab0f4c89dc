import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { isolationOf, type WantedIsolation } from '../isolation/isolable.ts';
import { proofOf, type WantedProof } from '../proof/wanted-proof.ts';

/** Where a run is to work, and where its checks are to run. */
export interface WantedPlaces {
  /** Null: it works in the folder that it was given. */
  readonly isolated: WantedIsolation | null;
  /** Null: its checks run in the workspace, as it leaves it. */
  readonly proof: WantedProof | null;
}

/** The places that these options ask for. Throws an `EnvironmentError` or an `OptionsError` where one cannot be had. */
export const wantedPlaces = async (
  options: RunOptions,
  settings: RunSettings,
  loop: LoopDefinition,
): Promise<WantedPlaces> => ({
  isolated: await isolationOf(options, settings),
  proof: await proofOf(options, settings, loop),
});
