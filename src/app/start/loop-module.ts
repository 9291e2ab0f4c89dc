import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loopNameOf, newestOf } from '../../../machines/index.ts';
import { head } from '../../text/excerpt.ts';
import { nearest } from '../../text/nearest.ts';
import { chartDigest } from '../../loops/chart-digest.ts';
import { shippedLoops } from '../../loops/index.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { isMachine, lint } from '../../testing/lint/lint.ts';
import { LoopRuleError } from '../../testing/lint/loop-rule-error.ts';
import { unperformedIn } from './loop-names.ts';
import { lendPackages } from './own-packages.ts';

const MODULE = /\.loop\.[cm]?[jt]s$/;

/**
 * The module in a folder that is named as modules of loops are: the one with the folder's name, else the first. Null:
 * none.
 */
export async function moduleIn(folder: string): Promise<string | null> {
  const modules = (await readdir(folder).catch(() => [])).filter((file) => MODULE.test(file)).toSorted();
  const found = modules.find((file) => file.replace(MODULE, '') === basename(folder)) ?? modules[0];
  return found === undefined ? null : join(folder, found);
}

export type LoopModule =
  /** `loop`: the module's main loop; the others are its other versions, and the loops that it opens. */
  | { readonly kind: 'loops'; readonly loop: LoopDefinition; readonly loops: readonly LoopDefinition[] }
  /** The end of the sentence that begins with its path. `missing`: there is no such file. */
  | { readonly kind: 'failed'; readonly why: string; readonly isMissing: boolean };

const SHOWN_CHARS = 600;

/**
 * The loops that a module exports, made by `defineLoop`. The module is loaded into this process, and has all its
 * rights: check first whether it is trusted. `recordedAs`: its path as runs record it.
 */
export async function loopModule(path: string, recordedAs: string): Promise<LoopModule> {
  const found = await stat(path).catch(() => null);
  if (!found) return { ...failed(await notThere(path)), isMissing: true };
  if (found.isDirectory()) return failed(`is a folder${didYouMean(await moduleIn(path))}`);
  if (!found.isFile()) return failed('is not a file');
  if (/^\.[cm]?ts$/.test(extname(path)) && !process.features.typescript) return failed(noTypeScript());
  lendPackages();
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await import(pathToFileURL(path).href);
  } catch (error) {
    return failed(
      brokenRules(error) ?? `fails when it is loaded: ${head(placeIn(error) + messageOf(error), SHOWN_CHARS)}`,
    );
  }
  return chosen(exported, recordedAs);
}

function chosen(exported: Readonly<Record<string, unknown>>, recordedAs: string): LoopModule {
  const all = new Map(Object.entries(exported).filter((one): one is [string, LoopDefinition] => isLoop(one[1])));
  if (all.size === 0) return failed(noLoop(exported));
  const loops = [...new Set(all.values())];
  const names = [...new Set(loops.map(({ id }) => loopNameOf(id)))];
  const loop =
    all.get('loop') ?? all.get('default') ?? (names.length === 1 ? newestOf(names[0] ?? '', loops) : undefined);
  if (!loop)
    return failed(`exports several loops (${names.join(', ')}). Export the one to run as \`loop\`, or as default.`);
  const wrong = loops.map(faultOf).find((fault) => fault !== null);
  if (wrong) return failed(wrong);
  const recorded = loops.map((one) => ({ ...one, module: { path: recordedAs, digest: chartDigest(one.machine) } }));
  return { kind: 'loops', loop: recorded[loops.indexOf(loop)] ?? loop, loops: recorded };
}

/** A copy of this package may lie beside the module, so a loop is known by its members. */
const isLoop = (value: unknown): value is LoopDefinition => {
  if (typeof value !== 'object' || value === null) return false;
  const { id, machine, effects, judge, rounds } = value as { readonly [member: string]: unknown };
  return (
    typeof id === 'string' &&
    isMachine(machine) &&
    [effects, rounds].every((one) => typeof one === 'object') &&
    typeof judge === 'function'
  );
};

/** Another version of this package may have let it pass. */
function faultOf(loop: LoopDefinition): string | null {
  const name = loopNameOf(loop.id);
  if (shippedLoops.some(({ id }) => loopNameOf(id) === name)) {
    return `exports a loop called ${name}, as one that ships is. Give its machine another id.`;
  }
  const offences = lint(loop);
  if (offences.length > 0) return `exports a loop that breaks rules: ${new LoopRuleError(loop.id, offences).message}`;
  const [missing] = unperformedIn(loop);
  return missing === undefined
    ? null
    : `exports ${loop.id}, which starts ${missing}, and nothing executes it. ` +
        `Write a function ${missing} into its handlers.`;
}

function noLoop(exported: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(exported).join(', ') || 'nothing';
  const hint = Object.values(exported).some(isMachine) ? ': a machine is made a loop by defineLoop' : '';
  return `exports ${names}, and no loop${hint}. Write: export const loop = defineLoop({ … })`;
}

/**
 * Every rule that a loop breaks, where that is why its module fails. Known by its name, since a copy of this package
 * may lie beside the module.
 */
const brokenRules = (error: unknown): string | null =>
  error instanceof Error && error.name === 'LoopRuleError'
    ? `defines a loop that breaks rules: ${error.message}`
    : null;

/** A file beside it with nearly that name. */
async function notThere(path: string): Promise<string> {
  const meant = nearest(basename(path), await readdir(dirname(path)).catch(() => []));
  return `is not there${didYouMean(meant === null ? null : join(dirname(path), meant))}`;
}

const didYouMean = (path: string | null): string => (path === null ? '' : `. Did you mean ${path}?`);

const failed = (why: string): LoopModule & { kind: 'failed' } => ({ kind: 'failed', why, isMissing: false });

const noTypeScript = () =>
  `is TypeScript, which Node ${process.versions.node} does not read. Use Node 22.18 or newer, or write it as .mjs.`;

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** Where a syntax error is stands in the first line of its stack, if anywhere. */
function placeIn(error: unknown): string {
  const [, place] = (error instanceof SyntaxError && /^(\S*:\d+)\n/.exec(error.stack ?? '')) || [];
  return place === undefined ? '' : `${place}: `;
}
