/** Distinguishes the path of a module from the name of a loop: a folder separator, or the extension of a script. */
export const LOOP_PATH = /[\\/]|\.[cm]?[jt]s$/;

/** Whether an option names a loop by the path of its module. */
export const isLoopPath = (loop: string): boolean => LOOP_PATH.test(loop);
