import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a package and its name, in the path of a module. */
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;
const LICENCE = /^(licen[cs]e|copying|notice)\b/i;

/** The licences of the packages of these modules, as text. Throws where a package names none. */
export function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((module) => PACKAGE.exec(module)?.[0] ?? []));
  return [...folders].toSorted().map(licenceOf).join('\n');
}

function licenceOf(folder: string): string {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${folder} names no licence, and is to be bundled`);
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  // Some packages of a common repository leave its text there.
  const elsewhere = files.length === 0 ? [`The text of its licence: ${repository?.url ?? repository}`] : [];
  return [`${name} ${version} (${license})`, '', ...texts, ...elsewhere, ''].join('\n');
}
