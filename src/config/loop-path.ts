/** What tells the path of a module from the name of a loop: a folder in it, or the ending of a script. */
export const LOOP_PATH = /[\\/]|\.[cm]?[jt]s$/;

/** Whether a loop is asked for by the path of its module. */
export const isLoopPath = (loop: string): boolean => LOOP_PATH.test(loop);
