import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/tool.ts';

/**
 * What all charts have in common stands in the turn chart, and is copied from there: an editor of charts reads only
 * literals, so no chart can import it.
 */
const SHARED_FROM = 'machines/turn.machine.ts';

/** The copies, by file: the id of the chart there. */
export const SHARED_WITH: ReadonlyMap<string, string> = new Map([
  ['machines/iteration.machine.ts', 'iteration'],
  ['machines/ralph.machine.ts', 'ralph'],
  ['machines/improvement.machine.ts', 'improvement'],
  ['machines/contest.machine.ts', 'contest'],
  ['docs/examples/own-loop/reviewed.machine.ts', 'reviewed'],
]);

const SHARED = /^ *\/\/ shared by all loops: (.+)\n([^]*?\n) *\/\/ end of shared$/gm;
const GENERATED =
  /(^ *\/\/ generated from the turn chart by npm run docs: (.+)\n)([^]*?\n)( *\/\/ end of generated$)/gm;

/** The parts of the turn chart that are copied, by name. */
export const sharedStates = (source = readFileSync(join(root, SHARED_FROM), 'utf8')): ReadonlyMap<string, string> =>
  new Map([...source.matchAll(SHARED)].map(([, name = '', text = '']) => [name, text]));

/** The names of the parts that a copy has. */
export const copiesIn = (text: string): string[] => [...text.matchAll(GENERATED)].map(([, , name = '']) => name);

/**
 * A chart with its copies made anew. A copy that differs only in its layout stays as it is, because that depends on the
 * length of the id. Throws if the turn chart has no part of that name.
 */
export function withSharedStates(text: string, id: string, shared = sharedStates()): string {
  return text.replaceAll(GENERATED, (_all, begin: string, name: string, copy: string, end: string) => {
    const original = shared.get(name);
    if (original === undefined) {
      throw new Error(`${SHARED_FROM} has no part ${name}; it has: ${[...shared.keys()].join(', ')}`);
    }
    const fresh = original.replaceAll("'#turn.", `'#${id}.`);
    return `${begin}${withoutLayout(fresh) === withoutLayout(copy) ? copy : fresh}${end}`;
  });
}

/** A literal without the spaces and commas that the formatter decides on. Those within its texts stay. */
const withoutLayout = (text: string): string =>
  text.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\s+|,(?=\s*[}\]])/g, (part) =>
    part.startsWith("'") || part.startsWith('"') ? part : '',
  );
