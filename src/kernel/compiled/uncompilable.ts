/** A part of a machine that only XState knows how to take. The message says which: `tools is a parallel state`. */
export class Uncompilable extends Error {
  override readonly name = 'Uncompilable';
}
