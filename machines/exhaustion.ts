/**
 * The finding of a loop that has nothing left to try: an ending that is no alarm. In a file of its own: what prints
 * endings is loaded first, and needs no schemas.
 */
export const EXHAUSTED = 'exhausted';
