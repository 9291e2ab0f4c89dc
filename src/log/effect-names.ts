const RUN_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const EFFECT_NAME = /^([^/]+)\/[1-9]\d*\/\d+$/;

/** A run's id also names a file, so it is held to what every file system takes, and never leaves a folder. */
export const isRunName = (run: string): boolean => RUN_NAME.test(run);

/** Throws a `TypeError` for what `isRunName` refuses. */
export function assertRunName(run: string): void {
  if (!isRunName(run)) {
    throw new TypeError(`run ${JSON.stringify(run)}: expected up to 128 letters, digits, "_", "." or "-"`);
  }
}

/** Whether a text is the name of an effect, as `runOfEffect` takes it. */
export const isEffectName = (text: string): boolean => EFFECT_NAME.test(text);

/** The run that an effect (`RUN/version/n`) belongs to. */
export function runOfEffect(effect: string): string {
  const run = EFFECT_NAME.exec(effect)?.[1];
  if (run === undefined) throw new TypeError(`effect ${JSON.stringify(effect)}: expected RUN/version/n`);
  return run;
}
