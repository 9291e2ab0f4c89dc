import * as nodeModule from 'node:module';
import { extname } from 'node:path';

/** What a loop's module imports by name. Beside this file, in the language that this file is in. */
const OURS: ReadonlyMap<string, string> = new Map([
  ['loopfold', '../../index'],
  ['loopfold/machines', '../../../machines/public'],
  ['loopfold/testing', '../../testing/index'],
].map(([name = '', place]) => [name, new URL(`${place}${extname(import.meta.url)}`, import.meta.url).href]));

/** Those that come with this program, and that its loops are written with. */
const THEIRS = /^(xstate|zod)(\/|$)/;

let isDone = false;

/**
 * From here on a module that finds no `loopfold`, `xstate` or `zod` where it lies is given those of this program: a loop in a
 * folder without `node_modules` loads too. An older Node, before 22.15, looks where the module lies, and nowhere else.
 */
export function lendPackages(): void {
  if (isDone) return;
  isDone = true;
  nodeModule.registerHooks?.({
    resolve: (specifier, context, next) => {
      try {
        return next(specifier, context);
      } catch (error) {
        const ours = OURS.get(specifier);
        if (ours !== undefined) return next(ours, context);
        if (THEIRS.test(specifier)) return next(specifier, { ...context, parentURL: import.meta.url });
        throw error;
      }
    },
  });
}
