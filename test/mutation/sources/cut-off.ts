/** How the reason begins where a test was cut off. On a busy machine that may be the load, and not the edit. */
export const CUT_OFF = 'cut off: ';

/** The message of an error may have its name before it. */
export const isCutOff = (why: string): boolean => why.includes(CUT_OFF);
