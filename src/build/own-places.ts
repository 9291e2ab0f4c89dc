import { dirname, posix, relative } from 'node:path';
import type { Plugin } from 'rolldown';

/** Stands for the place of a module until it is known in which file it ends up. */
const MARK = 'place-in-dist:';

/** A module that asks where it is gets the place it would have if it were a file of its own: there its workers are. */
export const ownPlaces = (root: string): Plugin => ({
  name: 'own-places',
  transform: (code, id) => {
    if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.')) return null;
    const place = relative(root, id).replace(/\.ts$/, '.js');
    return code.replaceAll('import.meta.url', `new URL('${MARK}${place}', import.meta.url).href`);
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(new RegExp(`${MARK}([^"'\`]+)`, 'g'), (_all, place: string) => {
      const from = posix.relative(dirname(fileName), place);
      return from.startsWith('.') ? from : `./${from}`;
    }),
});
