/** The marks by which a command's output shows what walls have refused to it. */
export interface Refused {
  /** The places that the way out refused, such as `example.org:443`. */
  readonly places: readonly string[];
  readonly output: string;
  /** The paths of a workspace that its commands do not change, as they may be written there. */
  readonly kept: readonly string[];
  /** Tells that no other machine is reached at all. */
  readonly isCutOff: boolean;
  /** The tool by which a model asks the user for more. Null: it has none. */
  readonly asks: string | null;
}

const READ_ONLY = /read-only file system|\bEROFS\b/i;
const NO_NETWORK =
  /could not resolve|temporary failure in name resolution|\bEAI_AGAIN\b|network is unreachable|\bENETUNREACH\b|unable to resolve host|name or service not known/i;
const MAX_NAMED = 5;
/** The end of an output is looked at: what a command was refused it says last. */
const MAX_LOOKED_AT_CHARS = 16_384;

/** Tells if the end of an output says that there is no network. */
export const lacksNetwork = (output: string): boolean => NO_NETWORK.test(output.slice(-MAX_LOOKED_AT_CHARS));

/** Returns one line that says what walls have refused to a command, for its model. Null: nothing is known of that. */
export function refusalLine({ places, output, kept, isCutOff, asks }: Refused): string | null {
  const end = output.slice(-MAX_LOOKED_AT_CHARS);
  const denied = end.split('\n').filter((line) => READ_ONLY.test(line));
  const named = kept.filter((path) => denied.some((line) => line.includes(path)));
  const said = [
    ...(places.length > 0 ? [`${listed(places)} cannot be reached`] : []),
    ...(places.length === 0 && isCutOff && NO_NETWORK.test(end) ? ['there is no network'] : []),
    ...(denied.length === 0
      ? []
      : [`${named.length > 0 ? listed(named) : 'what is outside of the workspace'} cannot be written`]),
  ];
  const remedy = asks === null ? 'only the user can open that' : `\`${asks}\` asks the user for it`;
  return said.length === 0 ? null : `[walls: from here ${said.join(', and ')}; ${remedy}]`;
}

const listed = (all: readonly string[]): string =>
  `${all.slice(0, MAX_NAMED).join(', ')}${all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : ''}`;
