import { quoted } from '../text/shell-words.ts';
import { isMade } from './never-given.ts';

/** More names than this are not listed. */
const MAX_NAMES = 5;

/** What failing checks need that no checkout has. */
export interface Lacked {
  /** Names of the checks. */
  readonly checks: readonly string[];
  /** Paths that git ignores, or that look secret, from the top of the workspace. */
  readonly ignored: readonly string[];
  /** Paths from the home. */
  readonly homePaths: readonly string[];
  readonly network: boolean;
  /** The project's own command that builds, with which they pass. Absent: none is known. */
  readonly build?: string | null;
}

/** Says which checks fail in a clean checkout alone, and the setting that gives them what they need. */
export function lackedText({ checks, ignored, homePaths, network, build = null }: Lacked, when: string): string {
  const made = ignored.filter(isMade);
  const kept = ignored.filter((path) => !isMade(path));
  const cures = [
    ...(kept.length === 0 ? [] : [`${named(kept)}, which no capture has: ${flags('--provide', kept)}`]),
    ...(made.length === 0 ? [] : [`${named(made)}, which a build makes: ${buildText(build)}`]),
    ...(homePaths.length === 0 ? [] : [`${named(inHome(homePaths))}: ${flags('--home-path', homePaths)}`]),
    ...(network ? ['the network: "network": true of the check, in a configuration file'] : []),
  ];
  return (
    `${when}, ${named(checks)} ${checks.length === 1 ? 'fails' : 'fail'} in a clean checkout for what ` +
    `it does not have, which is ${cures.join('; and ')}. Or let the checks run in the folder itself, with --check-in workspace`
  );
}

const buildText = (build: string | null): string =>
  build === null ? '--prepare with the command that builds it' : `--prepare ${quoted(build)}, with which it passes`;

/** A flag of such a text with its value, a path as it is or in quotation marks, a command in these. */
const CURE = /(--(?:provide|home-path)) ([\w./@-]*[\w/@-]|'(?:[^']|'\\'')*')|(--prepare) ('(?:[^']|'\\'')*')/g;

/** The flags that such a text proposes, as words of a command: a run started with them lacks nothing of that. */
export const curesIn = (text: string): readonly string[] =>
  [...text.matchAll(CURE)].flatMap(([, flag, value = '', prepare, command = '']) =>
    flag === undefined ? [prepare ?? '', unquoted(command)] : [flag, unquoted(value)],
  );

const unquoted = (word: string): string =>
  word.startsWith("'") ? word.slice(1, -1).replaceAll(String.raw`'\''`, "'") : word;

const inHome = (paths: readonly string[]): readonly string[] => paths.map((path) => `~/${path}`);

/** Returns a path as a word of a command: in quotation marks only where it needs them. */
export const pathWord = (path: string): string => (/^[\w./@-]+$/.test(path) ? path : quoted(path));

const flags = (flag: string, paths: readonly string[]): string =>
  paths
    .slice(0, MAX_NAMES)
    .map((path) => `${flag} ${pathWord(path)}`)
    .join(' ');

function named(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more` : names.join(', ');
}
