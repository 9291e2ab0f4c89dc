import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../log/package.ts';

/** The example of the guide, which tests compile and prove: a new loop starts as a copy of it. */
const EXAMPLE = ['docs', 'examples', 'own-loop'];
const EXAMPLE_NAME = 'reviewed';
/** Files about hosting the example are not copied. */
const OF_EXAMPLE_ALONE = '.host.test.ts';
/** The proofs of the example, which our tests take, and of a new loop, which no test runner takes by its name. */
const PROOFS = { ofExample: '.test.ts', ofLoop: '.proof.ts' } as const;

/** Letters, digits and dashes, as a name in a log, of a folder and in code. */
export const LOOP_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * The files of a new loop, by name: those of the example under another name, with proofs for the test runner of Node.
 * Those need the package beside them, so that the project's own tests must not take them.
 */
export async function loopFiles(name: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(packageFolder() ?? '.', ...EXAMPLE);
  const names = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith(OF_EXAMPLE_ALONE));
  const files = names.map(async (file) => {
    const text = await readFile(join(folder, file), 'utf8');
    return [file.replace(EXAMPLE_NAME, name).replace(PROOFS.ofExample, PROOFS.ofLoop), renamed(text, name)] as const;
  });
  return new Map(await Promise.all(files));
}

/**
 * Replaces the example's name where it names a machine, types, modules and runs; in comments it stays.
 */
function renamed(text: string, name: string): string {
  const words = name.split('-');
  const [first = '', ...others] = words;
  const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const pascal = words.map(capital).join('');
  const camel = [first, ...others.map(capital)].join('');
  return text
    .replaceAll(/\bReviewed(?=Event\b|Context\b)/g, pascal)
    .replaceAll(/(?<=machine: |const |\{ )reviewed\b/g, `${camel}Machine`)
    .replaceAll(/(?<='#|'\.\/|')reviewed(?=[.@'])/g, name)
    .replaceAll("from 'vitest'", "from 'node:test'");
}
