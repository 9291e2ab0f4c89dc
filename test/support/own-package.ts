import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OWN_SOURCES } from './own-sources.ts';

let isRead = false;

/** The names of this package are its sources in this process, for all test files in it. */
export function readOwnSources(): void {
  if (isRead) return;
  isRead = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const source = OWN_SOURCES[specifier];
      if (source === undefined) return next(specifier, context);
      return { url: pathToFileURL(source).href, shortCircuit: true };
    },
  });
  // From the second run of the tests on, a process has read all sources in half the time.
  enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'loopfold-tests'));
}
