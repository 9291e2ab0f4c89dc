import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { optionsThat } from '../options/option-table.ts';
import type { Config } from './config.ts';
import type { ConfigFile } from './config-file.ts';
import { exists } from './places.ts';
import { PrivateRecord } from './private-record.ts';

const DECIDING = optionsThat(({ decides }) => decides);
/** In place of an option: the whole text of a file that is code. */
const CODE = 'the file';
/** The projects that are remembered. The ones not used for longest are forgotten first. */
const MAX_PROJECTS = 1_000;
const DIGEST_CHARS = 16;

/** What a file said: a digest of each deciding option that it set. */
const Said = z.strictObject({ path: z.string().nullable(), digests: z.record(z.string(), z.string()) });
type Said = z.infer<typeof Said>;
/** By the folder that runs were started in; `AGENT in FOLDER` for an agent's page. */
const Project = z.record(z.string(), Said);
type Project = z.infer<typeof Project>;

const NOTHING: Said = { path: null, digests: {} };

/**
 * What the files of a project said when the user last started a run there. A model that may write files can write
 * these, too: a change of what decides is shown to the user before it counts. It does not matter which file says it
 * now: one that is nearer, or of another name, replaces the one before.
 */
export class LastUses {
  readonly #record: PrivateRecord<Project>;
  readonly #folder: string;
  readonly #root: string;
  /** What this call uses, to be remembered when its run starts. */
  readonly #now = new Map<string, Said>();

  /** `folders`: from the one that the run is started in to the top folder of the project; at least one. */
  constructor(userFolder: string, [folder, ...above]: readonly [string, ...string[]]) {
    this.#record = new PrivateRecord(join(userFolder, 'used.json'), z.record(z.string(), Project));
    this.#folder = folder;
    this.#root = above.at(-1) ?? folder;
  }

  /**
   * Why the project's file has to be trusted where it would not have to be on a first use; null where it need not be.
   * `file`: null where there is none.
   */
  async reasonToAsk(file: ConfigFile | null): Promise<string | null> {
    const now = file === null ? NOTHING : saidBy(file);
    this.#now.set(this.#folder, now);
    const before = await this.#before();
    return before && file ? difference(before, now) : null;
  }

  /** The file that was used before, where it is gone. */
  async missing(): Promise<string | null> {
    const path = (await this.#before())?.path ?? null;
    return path === null || (await exists(path)) ? null : path;
  }

  /** The same for an agent's page of the project. The first use of an agent is a person's choice. */
  async reasonToAskOfAgent(name: string, path: string, options: Config): Promise<string | null> {
    const key = `${name} in ${this.#folder}`;
    const now = { path, digests: digests(options) };
    this.#now.set(key, now);
    const before = (await this.#project())?.[key];
    return before ? difference(before, now) : null;
  }

  /** The user starts a run. Where that cannot be written, the next use is a first one. */
  async note(): Promise<void> {
    const project = await this.#project();
    if (project && canonicalize(project) === canonicalize(this.#with(project))) return;
    const noted = this.#record.update(({ [this.#root]: before, ...others }) => {
      const kept = Object.entries(others).slice(1 - MAX_PROJECTS);
      return Object.fromEntries([...kept, [this.#root, this.#with(before)]]);
    });
    await noted.catch(() => {});
  }

  /** What a project said, with what this call uses. */
  #with(project: Project | undefined): Project {
    return { ...project, ...Object.fromEntries(this.#now) };
  }

  async #project(): Promise<Project | undefined> {
    return (await this.#record.entries())[this.#root];
  }

  /** In a folder of the project that no run was started in yet: what the nearest folder above used. */
  async #before(): Promise<Said | null> {
    const project = await this.#project();
    if (!project) return null;
    for (let folder = this.#folder; ; folder = dirname(folder)) {
      const said = project[folder];
      if (said) return said;
      if (folder === this.#root || folder === dirname(folder)) return Object.values(project)[0] ?? null;
    }
  }
}

function difference(before: Said, now: Said): string | null {
  const changed = [...DECIDING, CODE].filter((option) => before.digests[option] !== now.digests[option]);
  return changed.length === 0 ? null : `${changed.join(', ')} changed since it was last used`;
}

const saidBy = ({ path, json, sha256 }: ConfigFile): Said => ({
  path,
  digests: json === null ? { [CODE]: sha256.slice(0, DIGEST_CHARS) } : digests(json.value),
});

function digests(value: unknown): Said['digests'] {
  if (typeof value !== 'object' || value === null) return {};
  const said = new Map(Object.entries(value));
  const deciding = DECIDING.filter((option) => said.has(option));
  return Object.fromEntries(deciding.map((option) => [option, digest(said.get(option))]));
}

const digest = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex')
    .slice(0, DIGEST_CHARS);
