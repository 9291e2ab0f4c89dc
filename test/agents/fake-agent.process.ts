import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

// An agent of the Agent Client Protocol that plays the story named by its argument.

const story = process.argv[2] ?? 'works';
const say = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (update: object) => say({ method: 'session/update', params: { sessionId: session, update } });
const write = (text: string) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const option = (kind: string) => ({ optionId: kind, name: kind, kind });
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly prompt?: readonly { readonly text: string }[] };
  readonly result?: { readonly outcome?: { readonly optionId?: string } };
  readonly error?: object;
}

let asked = 100;
let isCancelled = false;
/** The session that was begun or continued, and what is asked there. */
let session = 's1';
let asking = '';
let answered: (message: Message) => void = () => {};

const ask = (path: string): Promise<Message> => {
  asked += 1;
  const toolCall = { toolCallId: 't1', title: 'write hello.txt', kind: 'edit', locations: [{ path }] };
  const options = [option('allow_once'), option('reject_once')];
  say({ id: asked, method: 'session/request_permission', params: { sessionId: session, toolCall, options } });
  return new Promise((resolve) => (answered = resolve));
};

const work = () => {
  const call = { toolCallId: 't1', title: 'write hello.txt', kind: 'edit' };
  update({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
  writeFileSync('hello.txt', 'hello\n');
  update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', title: null, status: 'completed' });
};

/** Says which session was asked what. */
const echo = () => {
  write(`${session}: ${asking}`);
  return end('end_turn');
};

const forever = () => delay(600_000, undefined);
const end = (stopReason: string) => ({ result: { stopReason } });

const prompts: Readonly<Record<string, () => Promise<object> | object>> = {
  works: () => {
    update({ sessionUpdate: 'plan', entries: [{ content: 'write', priority: 'high', status: 'pending' }] });
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } });
    work();
    write('done');
    return { result: { stopReason: 'end_turn', usage: { inputTokens: 1_200, outputTokens: 34 } } };
  },
  idles: () => {
    write('All done!');
    return end('end_turn');
  },
  late: () => {
    setTimeout(work, 60);
    return end('end_turn');
  },
  refuses: () => end('refusal'),
  limited: () => end('max_tokens'),
  invents: () => end('because'),
  asks: async () => {
    const { result } = await ask(`${process.cwd()}/hello.txt`);
    if (result?.outcome?.optionId === 'allow_once') work();
    return end('end_turn');
  },
  resumes: echo,
  loads: echo,
  forgets: echo,
  'cancelled as completed': async () => {
    update({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'sleep', kind: 'execute', status: 'in_progress' });
    write('working');
    while (!isCancelled) await delay(5);
    update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' });
    return end('cancelled');
  },
  'asks for ever': async () => {
    while (!isCancelled) await ask('/etc/passwd');
    return end('cancelled');
  },
  'asks files': async () => {
    say({ id: 7, method: 'fs/read_text_file', params: { sessionId: 's1', path: '/etc/passwd' } });
    const { error } = await new Promise<Message>((resolve) => (answered = resolve));
    write(JSON.stringify(error));
    return end('end_turn');
  },
  silent: async () => {
    while (!isCancelled) await delay(5);
    return end('cancelled');
  },
  'ignores cancel': async () => {
    write('working');
    await forever();
    return end('end_turn');
  },
  cancels: async () => {
    write('working');
    while (!isCancelled) await delay(5);
    return end('cancelled');
  },
  dies: () => {
    write('working');
    process.stderr.write('out of memory\n');
    process.exit(3);
  },
  'half a line': () => {
    process.stdout.write('{"jsonrpc":"2.0","id":3,"resu', () => process.exit(0));
    return forever();
  },
  'wrong ids': () => {
    say({ id: 99, result: { stopReason: 'end_turn' } });
    say({ id: 'three', result: { stopReason: 'end_turn' } });
    return end('refusal');
  },
  junk: () => {
    process.stdout.write(`npm warn something\n[]\n42\n{"a":${'['.repeat(5_000)}\n\u0000\n`);
    work();
    return end('end_turn');
  },
  floods: async () => {
    const piece = 'x'.repeat(1_024 * 1_024);
    for (let count = 0; count < 100; count += 1) {
      if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    return end('end_turn');
  },
  // The first time it leaves a command in a session of its own, and waits; the next time it does the work.
  lingers: async () => {
    if (existsSync('started.txt')) {
      work();
      return end('end_turn');
    }
    const command = `touch started.txt; sleep 6; touch late.txt # ${process.argv[3] ?? ''}`;
    spawn('/bin/sh', ['-c', command], { detached: true, stdio: 'ignore' }).unref();
    await forever();
    return end('end_turn');
  },
  leaves: () => {
    const stays = ['-e', 'setInterval(() => {}, 1000)'];
    const child = spawn(process.execPath, stays, { detached: true, stdio: 'inherit' });
    write(String(child.pid));
    child.unref();
    return end('end_turn');
  },
  locked: () => ({ error: { code: -32_603, message: 'API Error: 401 invalid x-api-key' } }),
  broken: () => ({ error: { code: -32_603, message: 'Internal error', data: { details: 'overloaded' } } }),
};

const answer: Readonly<Record<string, () => Promise<object> | object>> = {
  initialize: () => ({
    result: {
      protocolVersion: story === 'other version' ? 2 : 1,
      agentInfo: { name: 'fake', version: '1' },
      agentCapabilities: {
        loadSession: story === 'loads',
        sessionCapabilities: story === 'resumes' || story === 'forgets' ? { resume: {} } : {},
      },
    },
  }),
  'session/resume': () =>
    story === 'forgets' ? { error: { code: -32_002, message: 'no such session' } } : { result: {} },
  'session/load': () => {
    write('what was said long ago');
    return { result: {} };
  },
  'session/new': () =>
    story === 'logged out'
      ? { error: { code: -32_000, message: 'Authentication required' } }
      : { result: { sessionId: 's1' } },
  'session/prompt': () => prompts[story]?.() ?? end('end_turn'),
};

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message;
  if (message.method === undefined) answered(message);
  else if (message.method === 'session/cancel') isCancelled = true;
  else if (story === `dies at ${message.method}`) process.exit(4);
  else {
    const { id, method, params } = message;
    if (method === 'session/new') session = 's1';
    else session = params?.sessionId ?? session;
    asking = params?.prompt?.[0]?.text ?? asking;
    void Promise.resolve(answer[method]?.()).then((reply) => say({ id, ...reply }));
  }
}
process.exit(0);
