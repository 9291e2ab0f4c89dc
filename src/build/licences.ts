import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a package and its name, in the path of a module. */
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;
const LICENCE = /^(licen[cs]e|copying|notice)\b/i;

/** What the packages of these modules are licensed by, as text. Throws where a package brings no such text. */
export function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((module) => PACKAGE.exec(module)?.[0] ?? []));
  return [...folders].toSorted().map(licenceOf).join('\n');
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  if (files.length === 0) throw new Error(`${folder} has no licence, and is to be bundled`);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, '', ...texts, ''].join('\n');
}
