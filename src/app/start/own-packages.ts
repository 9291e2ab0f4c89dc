import * as nodeModule from 'node:module';
import { extname } from 'node:path';

/** The packages that a loop's module imports by name, as files of this program with this file's extension. */
const OURS: ReadonlyMap<string, string> = new Map(
  [
    ['loopfold', '../../index'],
    ['loopfold/kernel', '../../kernel/index'],
    ['loopfold/machines', '../../../machines/public'],
    ['loopfold/ralph', '../../ralph/index'],
    ['loopfold/testing', '../../testing/index'],
  ].map(([name = '', place]) => [name, new URL(`${place}${extname(import.meta.url)}`, import.meta.url).href]),
);

/** Dependencies of this program that loops import too. */
const THEIRS = /^(xstate|zod)(\/|$)/;

let isDone = false;

/**
 * From now on a module that finds no `loopfold`, `xstate` or `zod` from its folder gets those of this program: a loop
 * in a folder without `node_modules` loads too. Node before 22.15 cannot do that, and looks only from the module's
 * folder.
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
