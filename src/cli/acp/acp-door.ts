import { isAbsolute } from 'node:path';
import type { InitializeResponse, SessionModeState } from '@agentclientprotocol/sdk';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { type Connection, RequestFault } from '../../agents/acp/json-rpc.ts';
import { type JsonObject, listIn, textIn, within } from '../../agents/json-object.ts';
import { loopNameOf } from '../../kernel/loop-definition.ts';
import { VERSION } from '../../log/program-version.ts';
import { isFolder } from '../../app/start/is-folder.ts';
import { plain } from '../../projections/phrases.ts';
import type { DoorRuns } from '../doors/door-runs.ts';
import { complaintOf } from '../pages/complaint-of.ts';
import { EditorSession } from './editor-session.ts';
import { listedSessions } from './session-list.ts';
import { INVALID_PARAMS, promptOf } from './prompt-blocks.ts';

/** The version of the Agent Client Protocol that is spoken. */
const PROTOCOL = 1;
const NOT_FOUND = -32_002;
const INTERNAL = -32_603;
/** Sessions of one editor at once. */
const MAX_SESSIONS = 256;
const MAX_SHOWN_CHARS = 100;

/** The mode in which the configuration names the loop. */
const CONFIGURED = 'configured';

/** The sessions of an editor that drives this program as its agent. */
export class AcpDoor {
  readonly #doorIn: (directory: string) => DoorRuns;
  readonly #doors = new Map<string, DoorRuns>();
  readonly #sessions = new Map<string, EditorSession>();
  readonly #editor: Pick<Connection, 'request' | 'notify'>;

  /** `doorIn`: makes the door to the runs of a folder. */
  constructor(editor: Pick<Connection, 'request' | 'notify'>, doorIn: (directory: string) => DoorRuns) {
    this.#editor = editor;
    this.#doorIn = doorIn;
  }

  /** Answers a request of the editor. Null: there is no such method. */
  asked(method: string, params: JsonObject): Promise<JsonObject> | null {
    switch (method) {
      case 'initialize':
        return Promise.resolve({ ...hello() });
      case 'authenticate':
        return Promise.resolve({});
      case 'session/new':
        return this.#new(params);
      case 'session/list':
        return this.#list(params);
      case 'session/load':
        return this.#load(params, true);
      case 'session/resume':
        return this.#load(params, false);
      case 'session/set_mode':
        return this.#setMode(params);
      case 'session/prompt':
        return this.#prompt(params);
      default:
        return null;
    }
  }

  /** Takes a notification of the editor. */
  notified(method: string, params: JsonObject): void {
    if (method === 'session/cancel') this.#sessions.get(textIn(params['sessionId']))?.cancel();
  }

  /** Pauses what still works: it can be resumed in the same sessions. */
  async close(): Promise<void> {
    await Promise.all([...this.#doors.values()].map((door) => door.close()));
  }

  async #new(params: JsonObject): Promise<JsonObject> {
    const session = await this.#open(uuidv7(), params);
    return { sessionId: session.id, modes: modesOf(session) };
  }

  /** Without a folder: that of the program. */
  async #list(params: JsonObject): Promise<JsonObject> {
    const directory = textIn(params['cwd']) || process.cwd();
    const loops = await (this.#doors.get(directory) ?? this.#doorIn(directory)).loops();
    return { sessions: loops ? await listedSessions(loops.log, directory) : [] };
  }

  async #load(params: JsonObject, isTold: boolean): Promise<JsonObject> {
    const id = textIn(params['sessionId']);
    const session = isUuid(id) ? await this.#open(id, params) : null;
    const isFound = await session?.load(isTold).catch((error: unknown) => {
      throw new RequestFault(INTERNAL, plain(complaintOf(error, 'acp').message));
    });
    if (session && isFound) return { modes: modesOf(session) };
    this.#sessions.delete(id);
    throw new RequestFault(NOT_FOUND, `no run of this folder has the id ${plain(id.slice(0, MAX_SHOWN_CHARS))}`);
  }

  async #setMode(params: JsonObject): Promise<JsonObject> {
    const mode = textIn(params['modeId']);
    const session = this.#session(params);
    if (!modesOf(session).availableModes.some(({ id }) => id === mode))
      throw new RequestFault(INVALID_PARAMS, `modeId: no mode ${plain(mode.slice(0, MAX_SHOWN_CHARS))}`);
    session.loop = mode === CONFIGURED ? null : mode;
    return {};
  }

  async #prompt(params: JsonObject): Promise<JsonObject> {
    return { ...(await this.#session(params).prompt(promptOf(listIn(params['prompt'])))) };
  }

  #session(params: JsonObject): EditorSession {
    const session = this.#sessions.get(textIn(params['sessionId']));
    if (!session) throw new RequestFault(NOT_FOUND, 'there is no such session: begin or load it first');
    return session;
  }

  async #open(id: string, params: JsonObject): Promise<EditorSession> {
    const directory = textIn(params['cwd']);
    if (!isAbsolute(directory) || !(await isFolder(directory)))
      throw new RequestFault(INVALID_PARAMS, `cwd: expected an absolute path of a folder, found ${directory}`);
    if (this.#sessions.size >= MAX_SESSIONS && !this.#sessions.has(id))
      throw new RequestFault(INVALID_PARAMS, `${MAX_SESSIONS} sessions are open already`);
    const door = this.#doors.get(directory) ?? this.#doorIn(directory);
    this.#doors.set(directory, door);
    const session = new EditorSession(id, door, {
      tell: (update) => this.#editor.notify('session/update', { sessionId: id, update }),
      ask: async (asked) => {
        const reply = await this.#editor.request('session/request_permission', { sessionId: id, ...asked });
        const outcome = reply.kind === 'result' ? within(reply.result, 'outcome') : {};
        return outcome['outcome'] === 'selected' ? textIn(outcome['optionId']) : null;
      },
    });
    this.#sessions.set(id, session);
    return session;
  }
}

const hello = (): InitializeResponse => ({
  protocolVersion: PROTOCOL,
  agentInfo: { name: 'loopfold', version: VERSION },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    sessionCapabilities: { list: {}, resume: {} },
  },
  authMethods: [],
});

/** A mode for each loop, and one for the loop that the configuration or the flags name. */
function modesOf({ loop, door }: EditorSession): SessionModeState {
  const names = new Map(door.definitions.map(({ id, describe }) => [loopNameOf(id), describe.child ?? describe.round]));
  const modes = [...names].map(([name, round]) => ({
    id: name,
    name,
    description: `A loop of one ${round} after another`,
  }));
  const configured = {
    id: CONFIGURED,
    name: 'as configured',
    description: 'The loop of the configuration, or of the flags',
  };
  return { currentModeId: loop ?? CONFIGURED, availableModes: [configured, ...modes] };
}
