import { type HeldFolder, hold } from '../folder-handle.ts';
import { rulesAbove } from './ignore-rules.ts';
import type { SearchRequest } from './request.ts';
import { Walk } from './walk.ts';

interface Begun extends AsyncDisposable {
  readonly folder: HeldFolder;
  readonly walk: Walk;
}

/** A walk from the place of a request on. A place that is ignored itself was named on purpose: all of it is shown. */
export async function begin(request: SearchRequest, depth = Infinity): Promise<Begun> {
  const { place, includeIgnored, limitMs } = request;
  const folder = await hold(place, place.real);
  const rules = includeIgnored ? null : rulesAbove(place.root, place.real);
  const isMeant = rules?.ignores(place.real, true) ?? true;
  const walk = new Walk({ rules: isMeant ? null : rules, depth, until: performance.now() + limitMs });
  return { folder, walk, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
