import type { ProviderDoor } from './meter/provider-door.ts';
import { agentOfModel } from '../../machines/agent-model.ts';
import { readAgentName } from './agent-name.ts';
import type { Preset, PresetProvider } from './presets/preset.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The things of a machine that an agent needs behind walls. */
export interface AgentNeeds {
  /** The name of its program. */
  readonly program: string;
  /** Paths that its command names, absolute or from the home (`~/`). */
  readonly named: readonly string[];
  /** Files of its login, from the home. */
  readonly logins: readonly string[];
  /** Entries of a reach of the network. Null: they are not known. */
  readonly reach: readonly string[] | null;
}

/** The needs of the agent that takes the place of a model. Null: it is a model, or no agent has that name. */
export function needsOf(model: string, environment: Environment): AgentNeeds | null {
  const name = agentOfModel(model);
  const named = name === null ? null : readAgentName(name);
  if (named === null) return null;
  if (named.kind !== 'preset')
    return { program: programIn(named.command), named: pathsIn(named.command), logins: [], reach: null };
  const { preset } = named;
  const [program = ''] = preset.words;
  // A meter is the only door then, and the key stays with it.
  if (doorsOf(preset, environment).length > 0) return { program, named: [], logins: [], reach: [] };
  const own = preset.providers.flatMap(({ addressVariable }) =>
    addressVariable === null ? [] : reachOf(environment[addressVariable] ?? ''),
  );
  return { program, named: [], logins: preset.logins, reach: [...preset.hosts, ...own] };
}

/** The providers of an agent for which the environment has a key. */
const doorsOf = ({ providers }: Preset, environment: Environment): readonly ProviderDoor[] =>
  providers.flatMap((provider) => doorOf(provider, environment));

/** The providers of the agent that takes the place of a model, for which the environment has a key. */
export function doorsOfModel(model: string, environment: Environment): readonly ProviderDoor[] {
  const named = readAgentName(agentOfModel(model) ?? '');
  return named?.kind === 'preset' ? doorsOf(named.preset, environment) : [];
}

function doorOf(provider: PresetProvider, environment: Environment): readonly ProviderDoor[] {
  const { wire, name, keys, addressVariable } = provider;
  const address = (addressVariable === null ? '' : environment[addressVariable]) || provider.address;
  const key = keys.find(({ variable }) => (environment[variable] ?? '').trim() !== '');
  if (address === null || key === undefined || !URL.canParse(address)) return [];
  const value = key.text.replace('{key}', () => (environment[key.variable] ?? '').trim());
  return [{ wire, name, address, key: { header: key.header, value } }];
}

/** The folders of a home in which the agent in the place of a model keeps its sessions. */
export function sessionFoldersOf(model: string): readonly string[] {
  const named = readAgentName(agentOfModel(model) ?? '');
  return named?.kind === 'preset' ? named.preset.sessions : [];
}

/** The first word of a command that is a program: variables may stand before it. */
const programIn = (command: string): string =>
  command
    .trim()
    .split(/\s+/)
    .find((word) => !/^(?:\w+=|exec$|env$)/.test(word)) ?? '';

/** The words of a command that are paths, such as that of a script. */
const pathsIn = (command: string): readonly string[] =>
  command.split(/[\s'"=]+/).filter((word) => /^(?:~\/|\/(?!\/))./.test(word));

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The entry of a reach for an address; none where there is no address. */
function reachOf(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { hostname, port, protocol } = new URL(address);
  const number = port || (protocol === 'http:' ? '80' : '443');
  return [LOOPBACK.test(hostname) ? `loopback:${number}` : `${hostname}:${number}`];
}
