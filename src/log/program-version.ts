import { version } from './package.ts';

/** This program, as it names itself to those that read its logs later. */
export const PROGRAM = `loopfold@${version()}`;
