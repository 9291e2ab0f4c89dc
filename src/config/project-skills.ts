import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import type { Instruction } from '../../machines/settings.ts';
import { amount } from '../text/money.ts';
import { oneLine } from '../text/one-line.ts';
import { visible } from '../text/visible.ts';
import { frontMatter, linesOf } from './agents/front-matter.ts';
import { boundedStart } from './read-within.ts';
import { SKILL_FOLDERS } from './instruction-names.ts';

/** The most skills that a model is told of, and of entries of a folder that are looked at: the first by name. */
const MAX_SKILLS = 50;
const MAX_ENTRIES = 500;
/** The beginning of a page that its name and its line are taken from. */
const MAX_START_BYTES = 16 * 1024;
const MAX_NAME_CHARS = 80;
const MAX_LINE_CHARS = 300;

const ABOUT =
  'Pages on how things are done here. Where one of them is about what you do next, read it with the tool `read` first.';

interface Skills {
  /** Null: there are none. */
  readonly instruction: Instruction | null;
  readonly warnings: readonly string[];
}

/**
 * The skills of a workspace as a part of its instructions: of each page the name, one line, and the path by which a
 * model reads it on demand. A page is text for a model: what else its front matter has sets nothing.
 */
export async function projectSkills(directory: string): Promise<Skills> {
  const top = await realpath(directory).catch(() => null);
  if (top === null) return { instruction: null, warnings: [] };
  const paths = (await Promise.all(SKILL_FOLDERS.map((folder) => pagesIn(top, folder)))).flat();
  const lines: string[] = [];
  const warnings: string[] = [];
  for (const path of paths.slice(0, MAX_SKILLS)) {
    const look = await lineOf(top, path);
    if ('unread' in look) warnings.push(`${path} ${look.unread}, so no model is told of this skill`);
    else lines.push(look.line);
  }
  const more = paths.length - MAX_SKILLS;
  if (more > 0) warnings.push(`no model is told of ${amount(more, 'further skill')}: at most ${MAX_SKILLS} are shown`);
  if (lines.length === 0) return { instruction: null, warnings };
  return { instruction: { path: SKILL_FOLDERS[0], text: [ABOUT, '', ...lines].join('\n') }, warnings };
}

/** The pages of a folder: `NAME/SKILL.md`, and `NAME.md`. */
async function pagesIn(top: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(join(top, folder)).catch((): string[] => []);
  const pages = names
    .toSorted()
    .slice(0, MAX_ENTRIES)
    .map((name) => join(folder, name.endsWith('.md') ? name : join(name, 'SKILL.md')));
  const there = await Promise.all(pages.map((path) => lstat(join(top, path)).catch(() => null)));
  return pages.filter((_path, index) => there[index] !== null);
}

async function lineOf(top: string, path: string): Promise<{ readonly line: string } | { readonly unread: string }> {
  const real = await realpath(join(top, path)).catch(() => null);
  if (real === null) return { unread: 'is a broken link' };
  // The tool that reads it does not reach further.
  if (relative(top, real).startsWith('..') || !/[.]md$/i.test(real)) return { unread: 'leads out of the workspace' };
  const read = await boundedStart(real, MAX_START_BYTES);
  if (read.kind === 'unread') return { unread: read.why };
  const lines = linesOf(read.text);
  const front = frontMatter(lines);
  const { name, description } = Object(front && fieldsIn(front.yaml)) as { name?: unknown; description?: unknown };
  const [first = ''] = (front?.body ?? lines.join('\n')).split('\n').filter((line) => /^[^#\s]/.test(line));
  const shown = (text: unknown, other: string, most: number) =>
    oneLine(visible(typeof text === 'string' && text.trim() !== '' ? text : other), most);
  const own =
    path
      .replace(/(\/SKILL)?[.]md$/, '')
      .split('/')
      .at(-1) ?? path;
  const [title, about] = [shown(name, own, MAX_NAME_CHARS), shown(description, first, MAX_LINE_CHARS)];
  return { line: `- ${title} (\`${visible(path)}\`): ${about}` };
}

function fieldsIn(yaml: string): unknown {
  try {
    return parse(yaml, { maxAliasCount: 0, logLevel: 'silent' });
  } catch {
    return null;
  }
}
