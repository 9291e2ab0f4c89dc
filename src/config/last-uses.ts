import { createHash } from 'node:crypto';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { type Option, OPTIONS } from './config.ts';
import type { ConfigFile } from './config-file.ts';
import { exists } from './places.ts';
import { PrivateRecord } from './private-record.ts';

/** The options that decide when work counts, what a model may do, and what a run may cost. */
const DECIDING: ReadonlySet<Option> = new Set<Option>([
  'checks',
  'ci',
  'loop',
  'strategy',
  'labels',
  'tools',
  'detectors',
  'maxIterations',
  'maxSteps',
  'maxToolCalls',
  'maxTokens',
  'maxTime',
  'maxCost',
]);
/** The projects that are remembered. The ones not used for longest are forgotten first. */
const MAX_PROJECTS = 1_000;
const DIGEST_CHARS = 16;

/** By file: a digest of each deciding option that it set. */
const Project = z.record(z.string(), z.record(z.string(), z.string()));
type Digests = Readonly<Record<string, string>>;

/**
 * What the files of a project said when the user last started a run there. A model that may write files can write
 * these, too: a change of what decides is shown to the user before it counts.
 */
export class LastUses {
  readonly #record: PrivateRecord<z.infer<typeof Project>>;
  readonly #root: string;

  /** `root`: the top folder of the project. */
  constructor(userFolder: string, root: string) {
    this.#record = new PrivateRecord(join(userFolder, 'used.json'), z.record(z.string(), Project));
    this.#root = root;
  }

  /** Why a file has to be trusted that would not have to be on a first use; null where it need not be. */
  async reasonToAsk({ path, json }: ConfigFile): Promise<string | null> {
    const project = await this.#project();
    if (!project) return null;
    const before = project[path] ?? {};
    const now = digests(json?.value);
    const changed = [...DECIDING].filter((option) => before[option] !== now[option]);
    return changed.length === 0 ? null : `${changed.join(', ')} changed since it was last used`;
  }

  /** The files that were used before, and are gone. */
  async missing(): Promise<readonly string[]> {
    const files = Object.keys((await this.#project()) ?? {});
    const there = await Promise.all(files.map(exists));
    return files.filter((_file, index) => !there[index]);
  }

  /** The user starts a run with this file, or without any. Where it cannot be written, the next use is a first one. */
  async note(file: ConfigFile | null): Promise<void> {
    const { [this.#root]: project, ...others } = await this.#record.entries();
    const now = file === null ? {} : { ...project, [file.path]: digests(file.json?.value) };
    if (project && canonicalize(project) === canonicalize(now)) return;
    const kept = Object.entries(others).slice(1 - MAX_PROJECTS);
    await this.#record.write(Object.fromEntries([...kept, [this.#root, now]])).catch(() => {});
  }

  async #project(): Promise<z.infer<typeof Project> | undefined> {
    return (await this.#record.entries())[this.#root];
  }
}

/** Of the options that the value of a JSON file sets; a file that is code is trusted as a whole. */
function digests(value: unknown): Digests {
  if (typeof value !== 'object' || value === null) return {};
  const said = new Map(Object.entries(value));
  const deciding = OPTIONS.filter((option) => DECIDING.has(option) && said.has(option));
  return Object.fromEntries(deciding.map((option) => [option, digest(said.get(option))]));
}

const digest = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex')
    .slice(0, DIGEST_CHARS);
