import { setTimeout as delay } from 'node:timers/promises';
import type { Agent } from '../agent-port.ts';
import { entering } from '../agent-cell.ts';
import { type AgentEnding, endingOf, endingOfError, endingOfExit, endingOfStop } from '../agent-ending.ts';
import { type AgentProcess, startAgent } from '../agent-process.ts';
import { agentOf, type AgentWork } from '../agent-work.ts';
import { isObject, type JsonObject, listIn, textIn, within } from '../json-object.ts';
import type { AgentLaunch } from '../launch.ts';
import { handedServers } from './servers-for-agent.ts';
import { Connection, type Reply } from './json-rpc.ts';
import { Questions } from './permission-questions.ts';
import { Updates, usageOf } from './updates.ts';

/** The version of the Agent Client Protocol that is spoken. */
const PROTOCOL = 1;
/** The time that an agent has to start, and to begin a session. */
const HANDSHAKE_MS = 60_000;
/** The time that an agent which is told to stop has to say so. */
const CANCEL_GRACE_MS = 5_000;
/** Updates may arrive behind the answer of a prompt: the quiet that ends the wait for them, and the longest wait. */
const QUIET_MS = 150;
const LATE_MS = 1_000;
/** The most that is kept of a line that is no message. */
const MAX_NOTE_CHARS = 1_000;
/** The time that an agent has to end once its standard input is closed. */
const CLOSE_MS = 500;

/** An agent that speaks the Agent Client Protocol on its standard input and output. */
export const acpAgent = (launch: AgentLaunch): Agent => agentOf((work) => new AcpWork(launch, work).run());

/** A reason that ends the work before its answer. */
interface Cut {
  readonly kind: 'cut';
  readonly ending: AgentEnding;
}

const cutBy = (ending: Promise<AgentEnding>): Promise<Cut> => ending.then((ending) => ({ kind: 'cut', ending }));

/** The request by which an agent continues a session, by what it says that it can. Null: it cannot. */
function continuing(capabilities: JsonObject): string | null {
  if (isObject(within(capabilities, 'sessionCapabilities')['resume'])) return 'session/resume';
  return capabilities['loadSession'] === true ? 'session/load' : null;
}

/** One prompt of one session. */
class AcpWork {
  readonly #launch: AgentLaunch;
  readonly #work: AgentWork;
  readonly #updates = new Updates();
  readonly #connection: Connection;
  #process: AgentProcess | null = null;
  #session = '';
  /** What is asked in the session that goes on. Null: another one has begun. */
  #askedThere: string | null = null;
  #updatedAt = 0;

  constructor(launch: AgentLaunch, work: AgentWork) {
    this.#launch = launch;
    this.#work = work;
    const questions = new Questions(work, this.#updates);
    this.#connection = new Connection({
      send: (line) => this.#process?.write(line) ?? false,
      notified: (method, params) => {
        if (method === 'session/update') this.#take(params);
      },
      // Agents read and write files by themselves: none of ours are offered to them.
      asked: (method, params) => (method === 'session/request_permission' ? questions.answer(params) : null),
    });
  }

  async run(): Promise<AgentEnding> {
    const { task, ready, watch } = this.#work;
    const { run, directory, passes, cell } = task;
    const { command, environment } = this.#launch;
    const started = startAgent(
      { run, directory, passes, ...entering(cell, command, environment) },
      {
        line: (line, note) => {
          watch.alive();
          if (!this.#connection.receive(line)) note(`${line.slice(0, MAX_NOTE_CHARS)}\n`);
          return ready();
        },
        flooded: (reason) => watch.end('flooded', reason),
      },
    );
    if ('missing' in started) return endingOf('not-started', started.missing);
    this.#process = started;
    void started.gone.then(() => this.#connection.close());
    try {
      return (await this.#open(started)) ?? (await this.#prompt(started));
    } finally {
      started.closeInput();
      await Promise.race([started.gone, delay(CLOSE_MS, undefined, { ref: false })]);
      await started.end();
    }
  }

  /** Begins a session. Returns the ending where none begins. */
  async #open(started: AgentProcess): Promise<AgentEnding | null> {
    const hello = await this.#ask(started, 'initialize', {
      protocolVersion: PROTOCOL,
      clientInfo: { name: 'loopfold', version: '0' },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    if (hello.kind === 'cut') return hello.ending;
    const { protocolVersion, authMethods, agentInfo } = hello.result;
    if (protocolVersion !== PROTOCOL) {
      return endingOf('too-old', `it speaks ${String(protocolVersion)}, and not ${PROTOCOL}`);
    }
    const { login } = this.#launch;
    const offersLogin = listIn(authMethods).some((method) => isObject(method) && method['id'] === login);
    if (login !== null && offersLogin) {
      const refused = await this.#ask(started, 'authenticate', { methodId: login });
      if (refused.kind === 'cut') return refused.ending;
    }
    const place = {
      cwd: this.#work.task.directory,
      mcpServers: handedServers(this.#work.task.servers ?? [], hello.result),
      ...(this.#launch.session === null ? {} : { _meta: this.#launch.session }),
    };
    if (!(await this.#goesOn(started, hello.result, place))) {
      const opened = await this.#ask(started, 'session/new', place);
      if (opened.kind === 'cut') return opened.ending;
      this.#session = textIn(opened.result['sessionId']);
      if (this.#session === '') return endingOf('failed', 'it began a session without an id');
    }
    const { name, version } = within(agentInfo);
    const agent = [textIn(name), textIn(version)].filter((word) => word !== '').join(' ');
    this.#work.tell({ kind: 'session', id: this.#session, agent: agent || null });
    return null;
  }

  /** Continues the session before, where there is one and the agent can. What it says of the past is not told again. */
  async #goesOn(started: AgentProcess, hello: JsonObject, place: JsonObject): Promise<boolean> {
    const { session } = this.#work.task;
    const method = continuing(within(hello, 'agentCapabilities'));
    if (!session || method === null) return false;
    const opened = await this.#ask(started, method, { sessionId: session.id, ...place });
    if (opened.kind === 'cut') return false;
    // Some agents tell the past behind their answer.
    if (method === 'session/load') await this.#late();
    this.#session = session.id;
    this.#askedThere = session.prompt;
    return true;
  }

  async #prompt(started: AgentProcess): Promise<AgentEnding> {
    const { task, tell, watch } = this.#work;
    const prompt = [{ type: 'text', text: this.#askedThere ?? task.prompt }];
    const reply = this.#connection.request('session/prompt', { sessionId: this.#session, prompt });
    const ended = await Promise.race([reply, cutBy(watch.cut)]);
    if (ended.kind === 'cut') return this.#cancel(ended.ending, reply);
    if (ended.kind === 'closed') return endingOfExit(await started.gone, started.said());
    if (ended.kind === 'error') return endingOfError(ended.code, ended.message);
    await this.#late();
    const usage = usageOf(ended.result);
    if (usage) tell(usage);
    return endingOfStop(textIn(ended.result['stopReason']));
  }

  /** Cancelling is a request: an agent that does not follow it is ended. */
  async #cancel(ending: AgentEnding, reply: Promise<Reply>): Promise<AgentEnding> {
    if (ending.code === 'flooded') return ending;
    this.#connection.notify('session/cancel', { sessionId: this.#session });
    const ended = await Promise.race([reply, delay(CANCEL_GRACE_MS, null, { ref: false })]);
    const usage = ended?.kind === 'result' ? usageOf(ended.result) : null;
    if (usage) this.#work.tell(usage);
    return ending;
  }

  /** The result of a request, or the ending that it comes to without one. */
  async #ask(
    started: AgentProcess,
    method: string,
    params: JsonObject,
  ): Promise<Cut | Extract<Reply, { kind: 'result' }>> {
    const late = delay(HANDSHAKE_MS, endingOf('silent', `no answer to ${method}`), { ref: false });
    const reply = this.#connection.request(method, params);
    const first = await Promise.race([reply, cutBy(this.#work.watch.cut), cutBy(late)]);
    if (first.kind === 'closed') return { kind: 'cut', ending: endingOfExit(await started.gone, started.said()) };
    if (first.kind === 'error') return { kind: 'cut', ending: endingOfError(first.code, first.message) };
    return first;
  }

  #take(params: JsonObject): void {
    this.#updatedAt = performance.now();
    // Updates of other sessions are of agents that this one has started.
    if (this.#session === '' || params['sessionId'] !== this.#session) return;
    const event = this.#updates.eventOf(within(params, 'update'));
    if (event) this.#work.tell(event);
  }

  async #late(): Promise<void> {
    const answered = performance.now();
    do await delay(QUIET_MS / 3);
    while (
      performance.now() < answered + LATE_MS &&
      performance.now() - Math.max(this.#updatedAt, answered) < QUIET_MS
    );
  }
}
