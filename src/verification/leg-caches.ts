import { keepFilled, makeCacheLayers } from '../actors/proof/build-cache-layers.ts';
import type { Mirror } from '../actors/proof/mirror.ts';
import { type BuildCache, buildCaches } from '../evidence/build-caches.ts';
import { type NamedEntries, onceFor } from './trees-by-path.ts';

/** The build caches that the legs of a proof get. */
export interface LegCaches {
  readonly list: readonly BuildCache[];
  readonly lay: (leg: string, mirror: Mirror) => Promise<void>;
  /** Keeps what a leg has built for those after it. */
  readonly keep: (leg: string, mirror: Mirror) => Promise<void>;
}

const cachesOf = onceFor((tree: NamedEntries) => buildCaches(tree.keys()));

/** The caches of the tools that build a tree. */
export function legCaches(base: NamedEntries): LegCaches {
  const list = cachesOf(base);
  return {
    list,
    lay: (leg, mirror) => makeCacheLayers(leg, mirror, list.length),
    keep: (leg, mirror) => keepFilled(leg, mirror, list.length),
  };
}
