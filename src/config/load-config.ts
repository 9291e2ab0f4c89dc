import { readAgentName } from '../agents/agent-name.ts';
import { type Config, fromFolder } from './config.ts';
import { ConfirmedRecord } from './consent-record.ts';
import { type ConfigFile, findConfig, type Search } from './config-file.ts';
import { KNOWN_TOOLS, unknownTools } from './tools.ts';
import { environmentLayer, type Variables } from './environment.ts';
import { faultSentence } from '../options/config-fault.ts';
import { fileLayer } from './file-layer.ts';
import { LastUses } from './last-uses.ts';
import { type Layer, layerFaults, merge, type Merged, placed } from './layer.ts';
import { foldersUpwards, userFolder } from './places.ts';
import { reasonToAsk, reasonToAskOf, type Trusted } from './trust-rules.ts';

/** What to do with a project's file: read it, skip it, or refuse until the user trusts it. */
export type TrustAnswer = 'read' | 'skip' | 'refuse';

export interface Surroundings {
  /** The workspace, as an absolute path. */
  readonly directory: string;
  /** The folder that paths in flags and variables are relative to. */
  readonly cwd: string;
  readonly env: Variables;
  readonly flags: Config;
  /** False where only the log is needed: other faults then are warnings. */
  readonly isStrict: boolean;
  /** Called for a project's file that could do harm, with the reason. */
  readonly trust: (file: Trusted, reason: string) => Promise<TrustAnswer>;
  /** Whether a change since the last use has to be trusted, and this use is remembered. */
  readonly remembersUse: boolean;
}

/** A file that is not read, because it is not trusted. */
export interface LeftOut {
  readonly file: string;
  readonly reason: string;
  /** SHA-256 of its text. */
  readonly sha256: string;
  /** Its content. Null: it is code, and has not run. */
  readonly value: unknown;
}

export interface Effective extends Merged {
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly string[];
  /** Called when a run is started or continued with it: later changes are compared with what it says now. */
  readonly noteUse?: () => Promise<void>;
}

/** No configuration: the defaults apply. */
export const UNCONFIGURED: Effective = {
  values: {},
  from: new Map(),
  providersFrom: new Map(),
  leftOut: [],
  warnings: [],
};

export type LoadedConfig =
  | { readonly kind: 'loaded'; readonly config: Effective }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | ({ readonly kind: 'untrusted' } & Omit<LeftOut, 'value'>);

/** The layers of one source, with its problems and warnings. */
interface PlaceResult {
  readonly layers?: readonly Layer[];
  readonly problems?: readonly string[];
  readonly warnings?: readonly string[];
  readonly leftOut?: readonly LeftOut[];
}

/**
 * The effective configuration. By precedence: flags, variables, the agent, the project's file, the user's file, what
 * the user has confirmed for the folder.
 */
export async function loadConfig(surroundings: Surroundings): Promise<LoadedConfig> {
  const folders = await foldersUpwards(surroundings.directory);
  const personal = userFolder(surroundings.env);
  const uses = usesIn(folders, personal, surroundings);
  const search = await findConfig(folders);
  const project = await fromProject(search, uses, surroundings.trust);
  if ('untrusted' in project) return { kind: 'untrusted', ...project.untrusted };
  const confirmed = await new ConfirmedRecord(personal).layer(folders[0]);
  const heard: readonly PlaceResult[] = [
    ...(await fromCommandLine(surroundings)),
    await fromUserFile(personal),
    project,
    { layers: confirmed ? [confirmed] : [] },
  ];
  const layers = heard.flatMap((one) => one.layers ?? []);
  const agent = surroundings.isStrict
    ? await fromAgent(merge(layers), { folders, personal, uses, trust: surroundings.trust })
    : {};
  if ('untrusted' in agent) return { kind: 'untrusted', ...agent.untrusted };
  const merged = merge([...layers, ...(agent.layers ?? [])]);
  const all: PlaceResult[] = [...heard, agent, { problems: await toolProblems(merged) }];
  const problems = all.flatMap((one) => one.problems ?? []);
  const warnings = all.flatMap((one) => one.warnings ?? []);
  const leftOut = all.flatMap((one) => one.leftOut ?? []);
  if (surroundings.isStrict && problems.length > 0) return { kind: 'refused', problems };
  const noteUse = async () => uses?.note();
  return { kind: 'loaded', config: { ...merged, leftOut, warnings: [...problems, ...warnings], noteUse } };
}

/** Flags and variables. Both name files relative to the current directory. */
async function fromCommandLine({ flags, env, cwd }: Surroundings): Promise<PlaceResult[]> {
  const { layer, faults, warnings } = environmentLayer(env);
  const layers: Layer[] = [{ kind: 'flag', values: flags }, layer];
  const wrong = [...faults, ...(await Promise.all(layers.map(layerFaults))).flat()];
  if (wrong.length > 0) return [{ problems: wrong.map(faultSentence), warnings }];
  return [{ layers: layers.map((one) => ({ ...one, values: fromFolder(one.values, cwd) })), warnings }];
}

async function fromUserFile(folder: string): Promise<PlaceResult> {
  const search = await findConfig([folder]);
  if (search.kind === 'none') return {};
  if (search.kind === 'refused') return { problems: [search.problem] };
  if (!search.file.isOthers) return fromFile(search.file, 'user');
  return { problems: [`${search.file.path} can be changed by others. Make it yours alone: chown, and chmod o-w.`] };
}

interface Untrusted {
  readonly untrusted: Omit<LeftOut, 'value'>;
}

/** Only a run is a use: what merely reads the log asks nothing, and is not remembered. */
function usesIn(
  [folder, ...above]: readonly string[],
  personal: string,
  { remembersUse, isStrict }: Surroundings,
): LastUses | null {
  return isStrict && remembersUse && folder !== undefined ? new LastUses(personal, [folder, ...above]) : null;
}

async function fromProject(
  search: Search,
  uses: LastUses | null,
  trust: Surroundings['trust'],
): Promise<PlaceResult | Untrusted> {
  if (search.kind === 'refused') return { problems: [search.problem] };
  const file = search.kind === 'file' ? search.file : null;
  const changed = (await uses?.reasonToAsk(file)) ?? null;
  const missing = (await uses?.missing()) ?? null;
  const warnings = missing === null ? [] : [`${missing} was used before, and is gone: nothing of it counts`];
  if (!file) return { warnings };
  const reason = reasonToAsk(file) ?? changed;
  const read = async () => ({ warnings, ...(await fromFile(file, 'project')) });
  return reason === null ? read() : ifTrusted(file, reason, trust, read);
}

/** A file that has to be trusted before it is read. */
async function ifTrusted(
  file: Trusted & Partial<Pick<ConfigFile, 'json'>>,
  reason: string,
  trust: Surroundings['trust'],
  read: () => PlaceResult | Promise<PlaceResult>,
): Promise<PlaceResult | Untrusted> {
  const { path, sha256, json } = file;
  switch (await trust(file, reason)) {
    case 'read':
      return read();
    case 'skip':
      return {
        warnings: [`${path} is not read: ${reason}, and it is not trusted`],
        leftOut: [{ file: path, reason, sha256, value: json?.value ?? null }],
      };
    case 'refuse':
      return { untrusted: { file: path, reason, sha256 } };
  }
}

async function fromFile(file: ConfigFile, kind: 'user' | 'project'): Promise<PlaceResult> {
  const read = await fileLayer(file, kind);
  return read.kind === 'layer' ? { layers: [read.layer] } : { problems: read.problems };
}

interface AgentPlaces extends Pick<Surroundings, 'trust'> {
  readonly uses: LastUses | null;
  readonly folders: readonly string[];
  readonly personal: string;
}

async function fromAgent(
  { values, from }: Merged,
  { folders, personal, uses, trust }: AgentPlaces,
): Promise<PlaceResult | Untrusted> {
  const asking = from.get('agent');
  if (values.agent === undefined || !asking) return {};
  // An agent of others that has this name comes before any page of it.
  if (readAgentName(values.agent)) return {};
  // It reads YAML, which takes time to load.
  const { findAgent } = await import('./agents/find-agent.ts');
  const found = await findAgent(values.agent, folders, personal);
  switch (found.kind) {
    case 'refused':
      return found;
    case 'unknown':
      return { problems: [faultSentence(await placed(found.fault, asking)), ...found.problems] };
    case 'agent': {
      const { name, file, others, options, lines, warnings } = found.agent;
      const heard: PlaceResult = {
        layers: [{ kind: 'agent', values: options, file: file ?? `the agent ${name}`, lines }],
        warnings,
      };
      const changed = others && file !== null ? await uses?.reasonToAskOfAgent(name, file, options) : null;
      const reason = others && (reasonToAskOf(options, others) ?? changed ?? null);
      return file !== null && others && reason
        ? ifTrusted({ ...others, path: file }, reason, trust, () => heard)
        : heard;
    }
  }
}

async function toolProblems({ values: { tools = [] }, from }: Merged): Promise<string[]> {
  const layer = from.get('tools');
  if (!layer) return [];
  const faults = unknownTools(tools, KNOWN_TOOLS);
  return Promise.all(faults.map(async (fault) => faultSentence(await placed(fault, layer))));
}
