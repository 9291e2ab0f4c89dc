import manifest from '../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;

/** This program, as it names itself to those that read its logs later. */
export const PROGRAM = `loopfold@${VERSION}`;
