import { findAgent } from './agents/find-agent.ts';
import type { Config } from './config.ts';
import { type ConfigFile, findConfig } from './config-file.ts';
import { KNOWN_TOOLS } from './defaults.ts';
import { environmentLayer, type Variables } from './environment.ts';
import { faultAt, faultSentence } from './fault.ts';
import { fileLayer } from './file-layer.ts';
import { fromFolder } from './from-folder.ts';
import { type Layer, layerFaults, merge, type Merged, placed } from './layer.ts';
import { nearest } from './nearest.ts';
import { foldersUpwards, userFolder } from './places.ts';
import { reasonToAsk, reasonToAskOf, type Trusted } from './trust.ts';

/** What is to become of a project's file: it is read, left out, or refused until somebody trusts it. */
export type TrustAnswer = 'read' | 'skip' | 'refuse';

export interface Surroundings {
  /** What is worked in, absolute. */
  readonly directory: string;
  /** Where flags and variables name files from. */
  readonly cwd: string;
  readonly env: Variables;
  readonly flags: Config;
  /** False where only the log is wanted: what is wrong elsewhere is then told, and stops nothing. */
  readonly isStrict: boolean;
  /** Asked about a project's file that could do harm, with what it could do. */
  readonly trust: (file: Trusted, reason: string) => Promise<TrustAnswer>;
}

export interface Effective extends Merged {
  readonly warnings: readonly string[];
}

/** Nothing was said: the defaults hold. */
export const UNCONFIGURED: Effective = { values: {}, from: new Map(), providersFrom: new Map(), warnings: [] };

export type LoadedConfig =
  | { readonly kind: 'loaded'; readonly config: Effective }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | { readonly kind: 'untrusted'; readonly file: string; readonly reason: string };

/** What one place had to say, and what is to be said about it. */
interface Heard {
  readonly layers?: readonly Layer[];
  readonly problems?: readonly string[];
  readonly warnings?: readonly string[];
}

/**
 * Everything that was said about a run in advance, each option from the loudest place: flags, variables, the agent, the
 * project's file, the user's file.
 */
export async function loadConfig(surroundings: Surroundings): Promise<LoadedConfig> {
  const folders = await foldersUpwards(surroundings.directory);
  const personal = userFolder(surroundings.env);
  const project = await ofProject(folders, surroundings.trust);
  if ('untrusted' in project) return { kind: 'untrusted', ...project.untrusted };
  const heard = [...(await ofCall(surroundings)), await ofUser(personal), project];
  const layers = heard.flatMap((one) => one.layers ?? []);
  const agent = surroundings.isStrict ? await ofAgent(merge(layers), { folders, personal, trust: surroundings.trust }) : {};
  if ('untrusted' in agent) return { kind: 'untrusted', ...agent.untrusted };
  const merged = merge([...layers, ...(agent.layers ?? [])]);
  const all: Heard[] = [...heard, agent, { problems: await unknownTools(merged) }];
  const problems = all.flatMap((one) => one.problems ?? []);
  const warnings = all.flatMap((one) => one.warnings ?? []);
  if (surroundings.isStrict && problems.length > 0) return { kind: 'refused', problems };
  return { kind: 'loaded', config: { ...merged, warnings: [...problems, ...warnings] } };
}

/** Flags and variables: both name files from where the person stands. */
async function ofCall({ flags, env, cwd }: Surroundings): Promise<Heard[]> {
  const { layer, faults, warnings } = environmentLayer(env);
  const layers: Layer[] = [{ kind: 'flag', values: flags }, layer];
  const wrong = [...faults, ...(await Promise.all(layers.map(layerFaults))).flat()];
  if (wrong.length > 0) return [{ problems: wrong.map(faultSentence), warnings }];
  return [{ layers: layers.map((one) => ({ ...one, values: fromFolder(one.values, cwd) })), warnings }];
}

async function ofUser(folder: string): Promise<Heard> {
  const search = await findConfig([folder]);
  if (search.kind === 'none') return {};
  if (search.kind === 'refused') return { problems: [search.problem] };
  if (!search.file.isOthers) return said(search.file, 'user');
  return { problems: [`${search.file.path} can be changed by others. Make it yours alone: chown, and chmod o-w.`] };
}

interface Untrusted {
  readonly untrusted: { readonly file: string; readonly reason: string };
}

async function ofProject(folders: readonly string[], trust: Surroundings['trust']): Promise<Heard | Untrusted> {
  const search = await findConfig(folders);
  if (search.kind === 'none') return {};
  if (search.kind === 'refused') return { problems: [search.problem] };
  const { file } = search;
  const reason = reasonToAsk(file);
  return reason === null ? said(file, 'project') : ifTrusted(file, reason, trust, () => said(file, 'project'));
}

/** What a file says that has to be trusted first. */
async function ifTrusted(
  file: Trusted,
  reason: string,
  trust: Surroundings['trust'],
  read: () => Heard | Promise<Heard>,
): Promise<Heard | Untrusted> {
  switch (await trust(file, reason)) {
    case 'read':
      return read();
    case 'skip':
      return { warnings: [`${file.path} is not read: ${reason}, and it is not trusted`] };
    case 'refuse':
      return { untrusted: { file: file.path, reason } };
  }
}

async function said(file: ConfigFile, kind: 'user' | 'project'): Promise<Heard> {
  const read = await fileLayer(file, kind);
  return read.kind === 'layer' ? { layers: [read.layer] } : { problems: read.problems };
}

interface AgentPlaces extends Pick<Surroundings, 'trust'> {
  readonly folders: readonly string[];
  readonly personal: string;
}

async function ofAgent({ values, from }: Merged, { folders, personal, trust }: AgentPlaces): Promise<Heard | Untrusted> {
  const asking = from.get('agent');
  if (values.agent === undefined || !asking) return {};
  const found = await findAgent(values.agent, folders, personal);
  switch (found.kind) {
    case 'refused':
      return found;
    case 'unknown':
      return { problems: [faultSentence(await placed(found.fault, asking)), ...found.problems] };
    case 'agent': {
      const { name, file, others, options, lines, warnings } = found.agent;
      const heard: Heard = { layers: [{ kind: 'agent', values: options, file: file ?? `the agent ${name}`, lines }], warnings };
      const reason = others && reasonToAskOf(options, others);
      return file !== null && others && reason ? ifTrusted({ ...others, path: file }, reason, trust, () => heard) : heard;
    }
  }
}

/** A tool that nobody has is a word misspelt: left out in silence, it would be missed only when it is needed. */
async function unknownTools({ values: { tools = [] }, from }: Merged): Promise<string[]> {
  const layer = from.get('tools');
  if (!layer) return [];
  const faults = tools.flatMap((tool, index) =>
    KNOWN_TOOLS.includes(tool)
      ? []
      : [faultAt(`tools[${index}]`, tool, `one of ${KNOWN_TOOLS.join(', ')}`, nearest(tool, KNOWN_TOOLS))],
  );
  return Promise.all(faults.map(async (fault) => faultSentence(await placed(fault, layer))));
}
