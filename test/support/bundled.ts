import { join } from 'node:path';
import { inject } from 'vitest';

const bundle = inject('bundle');

/** Where the built form of a source lies: `bundled('src/cli/main.ts')`. */
export const bundled = (source: string): string => join(bundle, source.replace(/\.ts$/, '.js'));

/** The path of a folder beside that of the bundle: it is deleted with the bundle, also when its test fails. */
export const folderOfRun = (name: string): string => `${bundle}-${name}`;

/** Compiled code is cached between the processes of a test run, and deleted with it. */
export const compileCache = { NODE_COMPILE_CACHE: join(bundle, 'compiled') };

/** Flags of a short process: it makes 40 MB, most of which is soon gone. Room for it saves an eighth of its time. */
export const YOUNG_GENERATION: readonly string[] = ['--min-semi-space-size=32'];
