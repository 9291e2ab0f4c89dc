import { lstat, realpath } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Instruction } from '../../machines/settings.ts';
import { amount } from '../text/money.ts';
import { visible } from '../text/visible.ts';
import { proseOf } from './agents/find-agent.ts';
import { boundedStart } from './read-within.ts';
import { INSTRUCTION_NAMES } from './instruction-names.ts';
import { foldersUpwards } from './places.ts';

/** Of one file at most so much is read, however large it is. */
const MAX_FILE_BYTES = 256 * 1024;
/** All files together: every request of a run carries them. The nearest file has its part first. */
export const MAX_INSTRUCTIONS_CHARACTERS = 32_000;
/** A part below it would say too little. */
const MIN_PART_CHARACTERS = 500;

const OR_NONE = 'or leave the instructions of the project out, with --instructions none';

export interface ProjectInstructions {
  /** From the top of the repository down to the workspace. */
  readonly instructions: readonly Instruction[];
  /** Files that are not read, or not whole: what is wrong with each, and what to do. */
  readonly warnings: readonly string[];
}

/** A file as it is read, before what all files may have together is divided. */
interface Page {
  readonly path: string;
  readonly text: string;
  /** Its whole size in bytes. */
  readonly bytes: number;
  readonly isCut: boolean;
}

type Look =
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'unread'; readonly warning: string }
  | { readonly kind: 'none' };

/**
 * What the files of a project say about working there: `AGENTS.md` of each folder from the top of the repository down
 * to this one, without the sections that define agents; `CLAUDE.md` where a folder has none, or none that says anything
 * else. Text for a model: nothing in it sets an option.
 */
export async function projectInstructions(directory: string): Promise<ProjectInstructions> {
  const folders = await foldersUpwards(directory);
  const top = folders.at(-1) ?? directory;
  const pages: Page[] = [];
  const warnings: string[] = [];
  for (const folder of folders) {
    for (const name of INSTRUCTION_NAMES) {
      const look = await lookAt(join(folder, name), top);
      if (look.kind === 'unread') warnings.push(look.warning);
      if (look.kind !== 'page') continue;
      pages.push(look.page);
      break;
    }
  }
  return divided(pages, warnings);
}

async function lookAt(file: string, top: string): Promise<Look> {
  const path = relative(top, file);
  const unread = (why: string) => ({ kind: 'unread', warning: `${path} ${why}` }) as const;
  if ((await lstat(file).catch(() => null)) === null) return { kind: 'none' };
  const real = await realpath(file).catch(() => null);
  if (real === null) return unread('is not read: its link is broken. Remove it, or mend it');
  if (relative(top, real).startsWith('..'))
    return unread(`is not read: it leads out of the project. Put the file itself there, ${OR_NONE}`);
  // A link could lead to a file with secrets.
  if (!/[.]md$/i.test(real))
    return unread(`is not read: it leads to ${basename(real)}, which is no Markdown. Put the file itself there`);
  const read = await boundedStart(real, MAX_FILE_BYTES);
  if (read.kind === 'unread') return unread(`${read.why}: it is left out. ${remedy(read.why)}, ${OR_NONE}`);
  const text = visible(proseOf(read.text)).trim();
  if (text === '') return { kind: 'none' };
  return { kind: 'page', page: { path, text, bytes: read.bytes, isCut: read.isCut } };
}

const remedy = (why: string): string =>
  why.includes('UTF-8') ? 'Save it as UTF-8' : 'Put a Markdown file that you can read there';

/** The nearest page has its part first; they stand in the order from the top down. */
function divided(nearestFirst: readonly Page[], unread: readonly string[]): ProjectInstructions {
  let room = MAX_INSTRUCTIONS_CHARACTERS;
  const instructions: Instruction[] = [];
  const warnings = [...unread];
  for (const { path, text, bytes, isCut } of nearestFirst) {
    const part = text.length <= room ? text : wholeLines(text, room);
    const isWhole = part === text && !isCut;
    room = Math.max(0, room - part.length);
    if (!isWhole)
      warnings.push(
        `${path} is too long: of its ${amount(bytes, 'byte')}, the first ${amount(part.length, 'character')} reach the ` +
          `model (all such files together: ${MAX_INSTRUCTIONS_CHARACTERS}). Shorten it, ${OR_NONE}`,
      );
    if (part !== '') instructions.unshift({ path, text: part, ...(isWhole ? {} : { cutFrom: bytes }) });
  }
  return { instructions, warnings };
}

function wholeLines(text: string, room: number): string {
  if (room < MIN_PART_CHARACTERS) return '';
  const end = text.lastIndexOf('\n', room);
  return end > 0 ? text.slice(0, end) : text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
}
