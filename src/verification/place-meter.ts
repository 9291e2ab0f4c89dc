import type { PlaceLeg } from './proof-places.ts';

/** Places legs, and adds up what the commands take that run in them. */
export interface MeteredPlace {
  readonly place: PlaceLeg;
  /** CPU time of all that ran so far. Null: the system does not say it. */
  readonly cpuMs: () => number | null;
}

/** Meters all commands of the legs that are placed. */
export function meteredPlace(place: PlaceLeg): MeteredPlace {
  let sumMs: number | null = 0;
  return {
    place: async (...asked) => {
      const at = await place(...asked);
      const { run } = at.elsewhere;
      const metered: typeof run = async (request) => {
        const result = await run(request);
        // What was never started took nothing.
        const cpuMs = 'took' in result && result.took ? result.took.cpuMs : 0;
        sumMs = sumMs === null || cpuMs === null ? null : sumMs + cpuMs;
        return result;
      };
      return { ...at, elsewhere: { ...at.elsewhere, run: metered } };
    },
    cpuMs: () => sumMs && Math.round(sumMs),
  };
}
