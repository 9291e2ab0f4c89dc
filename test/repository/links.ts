import { posix } from 'node:path';
import type { Tree } from './tree.ts';

export interface BrokenLink {
  readonly file: string;
  readonly target: string;
}

/**
 * Links from one Markdown file to a place in this repository that is not there. Addresses elsewhere are not followed.
 */
export function brokenLinks(tree: Tree): BrokenLink[] {
  return [...tree].flatMap(([file, text]) => {
    if (!file.endsWith('.md')) return [];
    return targets(text).flatMap((target) => (leadsSomewhere(tree, file, target) ? [] : [{ file, target }]));
  });
}

/** Of `[text](target)` and `[label]: target`, outside code. */
function targets(text: string): string[] {
  const prose = withoutCode(text).replaceAll(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const labelled = [...prose.matchAll(/^\[[^\]]+\]:\s+<?(\S+?)>?$/gm)];
  return [...inline, ...labelled].flatMap(([, target]) => (target === undefined ? [] : [target]));
}

function leadsSomewhere(tree: Tree, file: string, target: string): boolean {
  if (/^[a-z][a-z+.-]*:/.test(target)) return true;
  const [path = '', anchor] = target.split('#');
  const place = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), decodeURI(path)));
  const text = tree.get(place);
  if (text === undefined) return anchor === undefined && isFolder(tree, place);
  if (anchor === undefined) return true;
  return place.endsWith('.md') ? headings(text).has(anchor) : hasLine(text, anchor);
}

function isFolder(tree: Tree, place: string): boolean {
  const prefix = place.endsWith('/') ? place : `${place}/`;
  return [...tree.keys()].some((path) => path.startsWith(prefix));
}

/** Anchors as GitHub makes them; a heading that comes twice is numbered. */
function headings(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

function hasLine(text: string, anchor: string): boolean {
  const [, line] = /^L(\d+)(?:-L\d+)?$/.exec(anchor) ?? [];
  return line !== undefined && Number(line) <= text.split('\n').length;
}

const withoutCode = (text: string): string => text.replaceAll(/^(```|~~~)[^]*?^\1/gm, '');
