import { join } from 'node:path';
import { inject } from 'vitest';

const bundle = inject('bundle');

/** Where the built form of a source lies: `bundled('src/cli/main.ts')`. */
export const bundled = (source: string): string => join(bundle, source.replace(/\.ts$/, '.js'));

/** Compiled code is kept between the processes of a test run, and gone with it. */
export const compileCache = { NODE_COMPILE_CACHE: join(bundle, 'compiled') };
