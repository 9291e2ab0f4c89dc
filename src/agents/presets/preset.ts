import type { JsonObject } from '../json-object.ts';
import type { LineReading } from '../one-shot/line-reading.ts';

/** An agent that people have: how it is started, given its task, its model and its key. */
export interface Preset {
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** The command that installs it. */
  readonly install: string;
  /** The words of the command. `{task}`: the task as an argument. */
  readonly words: readonly string[];
  /** Further words by which it is told a model. Empty: it is told by `environment`. */
  readonly modelWords: (model: string) => readonly string[];
  /** Variables that it gets, by the model that it is told. Null: none. */
  readonly environment: (model: string | null) => Readonly<Record<string, string>>;
  /** Names of variables that hold its key, or say where its provider and its own files are: it gets those of ours. */
  readonly passes: readonly string[];
  readonly adapter: AcpPreset | OneShotPreset;
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
