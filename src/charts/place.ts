import type { CatalogueEntry } from '../../machines/index.ts';

export { placeOf } from '../runtime/mark.ts';

/** Every innermost place of a chart, whether or not anything leads there. */
export function placesOf(machine: CatalogueEntry['machine']): string[] {
  const within = (node: CatalogueEntry['machine']['root']): string[] => {
    const inner = Object.values(node.states);
    return inner.length === 0 ? [node.path.join('.')] : inner.flatMap(within);
  };
  return within(machine.root);
}
