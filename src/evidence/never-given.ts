import { fitsAny } from './path-globs.ts';

/** Output of builds, and caches: made from sources, and as easily made from others. */
export const isMade = fitsAny([
  '**/{target,dist,build,out,.next,.nuxt,.turbo,.vite,.cache,.parcel-cache,coverage}',
  '**/{__pycache__,.pytest_cache,.mypy_cache,.ruff_cache}',
  '**/{*.tsbuildinfo,.eslintcache,.stylelintcache}',
]);

/** Folders within `node_modules` that are caches, too. */
export const CACHES_OF_MODULES: readonly string[] = ['.vite', '.vite-temp', '.vitest', '.cache'];
