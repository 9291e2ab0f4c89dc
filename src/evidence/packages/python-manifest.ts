import { parse } from 'smol-toml';
import { z } from 'zod';
import { nameOf } from '../workspace-paths.ts';
import type { RangedPackage } from './package-request.ts';
import { rangeOfPython } from './version-ranges.ts';

const Specifiers = z.array(z.unknown()).catch([]);
const Groups = z.record(z.string(), Specifiers).catch({});
const Project = z.object({
  project: z.object({ dependencies: Specifiers, 'optional-dependencies': Groups }).partial().catch({}),
  'dependency-groups': Groups,
});

/** A name, its extras, a specifier of versions in brackets or without, and for which machines it is meant. */
const REQUIREMENT = /^([A-Za-z\d][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;@()]*)\)?\s*(;.*)?$/;

const isRequirements = (path: string): boolean => /^requirements.*\.txt$/.test(nameOf(path));

export const isPythonManifest = (path: string): boolean => nameOf(path) === 'pyproject.toml' || isRequirements(path);

/**
 * Reads what a manifest of Python asks for by versions. What is for some uses, or for some machines alone, may be
 * missing.
 *
 * @example
 * pythonRanges('requirements.txt', 'six>=1.16 # it is'); // [{ name: 'six', wanted: '>=1.16', range: '>=1.16.0', … }]
 */
export function pythonRanges(path: string, text: string): readonly RangedPackage[] {
  if (!isRequirements(path)) return projectRanges(text);
  const lines = text.replace(/\\\n/g, ' ').split('\n');
  const needed = nameOf(path) === 'requirements.txt';
  return lines.flatMap((line) => rangeIn(line.replace(/(?:^|\s)#.*/, '').replace(/\s--hash.*/, ''), !needed));
}

function projectRanges(text: string): readonly RangedPackage[] {
  const { project, 'dependency-groups': groups } = Project.parse(tomlIn(text));
  const extras = [...Object.values(project['optional-dependencies'] ?? {}), ...Object.values(groups)].flat();
  const ranged = (all: readonly unknown[], mayLack: boolean) =>
    all.flatMap((one) => (typeof one === 'string' ? rangeIn(one, mayLack) : []));
  return [...ranged(project.dependencies ?? [], false), ...ranged(extras, true)];
}

function rangeIn(line: string, mayLack: boolean): readonly RangedPackage[] {
  const [, name, specifier = '', condition] = REQUIREMENT.exec(line.trim()) ?? [];
  const wanted = specifier.trim();
  const range = rangeOfPython(wanted);
  if (name === undefined || range === null) return [];
  return [{ name, wanted: wanted || '*', range, mayLack: mayLack || condition !== undefined }];
}

/** A text as TOML. Any other text counts as an empty one. */
export function tomlIn(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return {};
  }
}
