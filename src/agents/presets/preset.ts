import type { PermissionRule, Permissions } from '../../../machines/permissions.ts';
import type { JsonObject } from '../json-object.ts';
import type { Wire } from '../meter/wire.ts';
import type { LineReading } from '../one-shot/line-reading.ts';

/** The API of Anthropic, with a key or a token. */
export const anthropic: PresetProvider = {
  wire: 'anthropic',
  name: 'anthropic',
  address: 'https://api.anthropic.com',
  addressVariable: 'ANTHROPIC_BASE_URL',
  keys: [
    { variable: 'ANTHROPIC_API_KEY', header: 'x-api-key', text: '{key}' },
    { variable: 'ANTHROPIC_AUTH_TOKEN', header: 'authorization', text: 'Bearer {key}' },
  ],
};

/** The API of OpenAI, or one that is like it. */
export const openai: PresetProvider = {
  wire: 'openai',
  name: 'openai',
  address: 'https://api.openai.com/v1',
  addressVariable: 'OPENAI_BASE_URL',
  keys: [{ variable: 'OPENAI_API_KEY', header: 'authorization', text: 'Bearer {key}' }],
};

/** The API of Gemini. */
export const google: PresetProvider = {
  wire: 'gemini',
  name: 'google',
  address: 'https://generativelanguage.googleapis.com',
  addressVariable: 'GOOGLE_GEMINI_BASE_URL',
  keys: [
    { variable: 'GEMINI_API_KEY', header: 'x-goog-api-key', text: '{key}' },
    { variable: 'GOOGLE_API_KEY', header: 'x-goog-api-key', text: '{key}' },
  ],
};

/** An agent that people have: how it is started, given its task, its model and its key. */
export interface Preset {
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** The command that installs it. */
  readonly install: string;
  /** The words of the command. `{task}`: the task as an argument. */
  readonly words: readonly string[];
  /** The words that continue a session of that id, in place of `words`. Absent: the protocol does, or nothing. */
  readonly resumeWords?: (session: string) => readonly string[];
  /** Folders in the home where it keeps its sessions. */
  readonly sessions: readonly string[];
  /** Further words where no walls of ours hold it: it asks, or holds itself. */
  readonly openWords: readonly string[];
  /** Further words behind walls: there it need not. */
  readonly walledWords: readonly string[];
  /** Further words by which it is told a model. Empty: it is told by `environment`. */
  readonly modelWords: (model: string) => readonly string[];
  /** Variables that it gets, by the model that it is told. Null: none. */
  readonly environment: (model: string | null) => Readonly<Record<string, string>>;
  /** Names of variables that hold its key, or say where its provider and its own files are: it gets those of ours. */
  readonly passes: readonly string[];
  /** Files of its login, from the home: it gets them behind walls, where it gets no key. */
  readonly logins: readonly string[];
  /** The hosts that it needs where no meter stands before its provider, as a reach of a network names them. */
  readonly hosts: readonly string[];
  /** Its providers that a meter can stand before, the first one first. */
  readonly providers: readonly PresetProvider[];
  /** The words and variables that send it to a meter, by its addresses there, with the stand-in for a key. */
  readonly metered: (
    addresses: Readonly<Partial<Record<Wire, string>>>,
    key: string,
    model: string | null,
  ) => MeteredWords;
  readonly adapter: AcpPreset | OneShotPreset;
  /** The words by which it is told what it may not do. Absent: it takes none. */
  readonly ruleWords?: (permissions: Permissions) => ToldRules;
}

interface MeteredWords {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The text of a file that counts before those of the workspace, and the variable that says where it is. */
  readonly settings?: { readonly variable: string; readonly text: string };
}

/** The rules that an agent is told of by words of its command, and those that it has no words for. */
export interface ToldRules {
  readonly words: readonly string[];
  readonly unreached: readonly PermissionRule[];
}

/** A provider of an agent: where its API is, and in which variables a person has a key for it. */
export interface PresetProvider {
  readonly wire: Wire;
  /** As prices name it. */
  readonly name: string;
  /** Null: only where `addressVariable` says one. */
  readonly address: string | null;
  /** A variable of ours that says another address. Null: there is none. */
  readonly addressVariable: string | null;
  /** Variables with a key, and the header that carries it; `{key}` stands for the key. */
  readonly keys: readonly { readonly variable: string; readonly header: string; readonly text: string }[];
}

interface AcpPreset {
  readonly kind: 'acp';
  /** The way of logging in that it is told to use, where it offers that. Null: it is told none. */
  readonly login: string | null;
  /** The settings of its sessions beyond the protocol, or null. */
  readonly session: JsonObject | null;
}

interface OneShotPreset {
  readonly kind: 'one-shot';
  readonly reading: () => LineReading;
}
