import { readdir, realpath } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { boundedRead } from '../read-within.ts';
import { type ConfigFault, faultAt } from '../../options/config-fault.ts';
import { nearest } from '../../text/nearest.ts';
import { type Agent, type AgentText, SHIPPED_AGENTS } from './agent.ts';
import { AGENT_PLACES } from './agent-places.ts';
import { readFields, frontMatter, linesOf, type FrontMatter, placedSections, type Section } from './front-matter.ts';
import { readAgent } from './read-agent.ts';

/** The sections of an `AGENTS.md` that define agents. */
const agentSections = (text: string): readonly Section[] =>
  placedSections(linesOf(text)).flatMap(({ section }) => (isProse(section) ? [] : [section]));

/** The text without them. */
export function proseOf(text: string): string {
  const lines = linesOf(text);
  const agents = placedSections(lines).filter(({ section }) => !isProse(section));
  const starts = [0, ...agents.map(({ to }) => to)];
  return starts.flatMap((from, index) => lines.slice(from, agents[index]?.from)).join('\n');
}

/** Two lines of dashes below a heading with plain text between them are not an agent. */
function isProse(section: FrontMatter): boolean {
  const read = readFields(section);
  return read.kind === 'fields' && read.fields.size === 0 && section.yaml.trim() !== '';
}

const MAX_AGENT_BYTES = 1_000_000;
const MAX_AGENT_FILES = 500;

export type FoundAgent =
  | { readonly kind: 'agent'; readonly agent: Agent }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  /** No agent has that name; the fault lists the known ones. The problems are files that could not be read. */
  | {
      readonly kind: 'unknown';
      readonly known: readonly string[];
      readonly fault: ConfigFault;
      readonly problems: readonly string[];
    };

/**
 * The agent of a name, in any letter case: from these folders, the nearest first, then `userFolder`, else a built-in
 * one.
 */
export async function findAgent(name: string, folders: readonly string[], userFolder: string): Promise<FoundAgent> {
  const { texts, warnings } = await agentTexts(folders, userFolder);
  const wanted = same(name);
  const [first, ...others] = texts.filter((text) => same(text.name) === wanted);
  if (!first) {
    const shipped = SHIPPED_AGENTS.find((agent) => same(agent.name) === wanted);
    return shipped ? { kind: 'agent', agent: { ...shipped, warnings } } : unknownAgent(name, texts, warnings);
  }
  const read = readAgent(first);
  if (read.kind === 'refused') return read;
  const hidden = others.map(({ file }) => `agent ${first.name} is read from ${first.file}, not from ${file}`);
  if (SHIPPED_AGENTS.some((agent) => same(agent.name) === wanted)) {
    hidden.push(`agent ${first.name} is read from ${first.file}, and is not the one that ships`);
  }
  return { kind: 'agent', agent: { ...read.agent, warnings: [...warnings, ...hidden, ...read.agent.warnings] } };
}

function unknownAgent(name: string, texts: readonly AgentText[], problems: readonly string[]): FoundAgent {
  const names = [...texts, ...SHIPPED_AGENTS].map((agent) => [same(agent.name), agent.name] as const);
  const known = [...new Map(names.toReversed()).values()].toSorted();
  const fault = faultAt('agent', name, `one of ${known.join(', ')}`, nearest(name, known));
  return { kind: 'unknown', known, fault, problems };
}

const same = (name: string) => name.toLowerCase();

interface Texts {
  readonly texts: readonly AgentText[];
  readonly warnings: readonly string[];
}

async function agentTexts(folders: readonly string[], userFolder: string): Promise<Texts> {
  const texts: AgentText[] = [];
  const warnings: string[] = [];
  const root = folders.at(-1) ?? null;
  const places = folders.flatMap((folder) =>
    AGENT_PLACES.map(({ path, isForeign }) => ({ path: join(folder, path), isForeign, root })),
  );
  for (const place of [...places, { path: join(userFolder, 'agents'), isForeign: false, root: null }]) {
    for (const file of await filesOf(place.path)) {
      const way = place.root === null ? '' : relative(place.root, await realpath(file).catch(() => file));
      if (way.startsWith('..')) {
        warnings.push(`${file} is not read: it leads out of ${place.root}`);
        continue;
      }
      const read = await boundedRead(file, MAX_AGENT_BYTES);
      if (read.kind === 'unread') warnings.push(`${file} ${read.why}`);
      else
        texts.push(
          ...textsIn(
            { file, isForeign: place.isForeign, others: place.root === null && !read.isOthers ? null : read },
            read.text,
          ),
        );
    }
  }
  return { texts, warnings };
}

/** The files of a place: itself, or what lies in it. */
async function filesOf(path: string): Promise<readonly string[]> {
  if (path.endsWith('.md')) return (await realpath(path).catch(() => null)) === null ? [] : [path];
  const names = await readdir(path).catch(() => []);
  const pages = names.filter((name) => name.endsWith('.md')).toSorted();
  return pages.slice(0, MAX_AGENT_FILES).map((name) => join(path, name));
}

function textsIn(from: Pick<AgentText, 'file' | 'isForeign' | 'others'>, text: string): AgentText[] {
  const { file } = from;
  if (basename(file) === 'AGENTS.md') {
    return agentSections(text).map((section) => ({ ...section, ...from }));
  }
  const lines = linesOf(text);
  const found = frontMatter(lines) ?? { yaml: '', line: 1, body: text.trim(), bodyLine: 1 };
  const read = readFields(found);
  const name = read.kind === 'fields' ? read.fields.get('name')?.value : null;
  return [{ ...found, name: typeof name === 'string' && name !== '' ? name : basename(file, '.md'), ...from }];
}
