import type { ProofSettings } from '../../machines/settings.ts';
import type { ProbeWalls } from './proof-places.ts';

/** What a run was started to be strict about, or not, in the legs of a proof. */
export type Strictness = Pick<ProofSettings, 'allowGrounds' | 'walls' | 'control' | 'legs'>;

/** Where walls are turned off, that is what keeps them from standing. */
export const probeOf = (asked: Strictness | undefined, probe: ProbeWalls | undefined): ProbeWalls | undefined =>
  asked?.walls === 'off' ? async () => 'they are turned off' : probe;

/** The run was started with `walls: 'required'`, and here they cannot stand. Nothing was checked. */
export class WallsMissingError extends Error {
  override readonly name = 'WallsMissingError';

  constructor(because: string) {
    super(
      `Walls around the checks are required, and cannot stand here: ${because}. Let users make namespaces on this ` +
        'machine (kernel.unprivileged_userns_clone, or what AppArmor restricts), or run without --walls required',
    );
  }
}
