import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as restate from '@restatedev/restate-sdk';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import type { Script } from '../../../src/actors/model/script.ts';
import { restateLoops } from '../../../src/hosts/restate/restate-loops.ts';
import { wakeRuns } from '../../../src/hosts/restate/wake-runs.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog, openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { recorded, story } from '../../../src/hosts/contract/run-story.ts';
import { hostContract } from '../../../src/hosts/contract/host-contract.ts';
import type { HostUnderTest } from '../../../src/hosts/contract/host-under-test.ts';
import { Program } from '../../cli/program.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { bundled } from '../../support/bundled.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { freePort } from '../../support/free-port.ts';
import { type RestateServer, startRestate, withoutRestate } from '../../support/restate.ts';
import { runOptions } from '../in-process.ts';
import { serviceStorm } from './service-storm.ts';

const RUNNER = { describe, expect, onTestFinished, test };

describe.skipIf(withoutRestate)(`H5 on Restate${withoutRestate ? `, ${withoutRestate}` : ''}`, () => {
  let server: RestateServer;
  beforeAll(async () => {
    server = await startRestate();
  });
  afterAll(() => server.stop());

  /** A service of this process. What it is told goes through the ingress of Restate. */
  async function served(script: Script, mostEntries?: number): Promise<HostUnderTest> {
    const log = memoryLog();
    const { root } = await repository({ 'a.txt': 'a\n' });
    const loops = await restateLoops({
      log,
      model: scriptedModel(script),
      warn: () => {},
      ...(mostEntries === undefined ? {} : { mostEntries }),
    });
    const listen = async (port: number) => {
      const listening = createServer(restate.createEndpointHandler({ services: [loops], logger: () => {} }));
      const sessions = new Set<ServerHttp2Session>();
      listening.on('session', (session) => sessions.add(session));
      listening.listen(port, '127.0.0.1');
      await once(listening, 'listening');
      return {
        port: (listening.address() as AddressInfo).port,
        // Restate keeps its connections open.
        close: async () => {
          for (const session of sessions) session.destroy();
          listening.close();
        },
      };
    };
    let service = await listen(0);
    onTestFinished(() => service.close());
    await server.register(service.port);
    return {
      log,
      start: async (options) => {
        const run = uuidv7();
        await server.call(run, 'drive/send', runOptions(options, root));
        return run;
      },
      answer: (run, text) => server.call(run, 'answer', { text }),
      grant: (run) => server.call(run, 'grant', { granted: true }),
      // Its connections are lost. That of a process that is killed stands below.
      restart: async () => {
        await service.close();
        service = await listen(service.port);
      },
      steer: (run, text) => server.call(run, 'steer', { text }),
      abort: (run) => server.call(run, 'abort', {}),
    };
  }

  describe('H1 restate', () => hostContract((script) => served(script), RUNNER));

  test('H5 a run whose journal is full goes on in another invocation, and does nothing twice', async () => {
    const add = (part: string) => ({ tool: 'shell', arguments: { command: `echo ${part} >> parts.txt` } });
    const answers = ['a', 'b', 'c', 'd', 'e', 'f'].map((part) => ({ calls: [add(part), add(`${part}2`)] }));
    const { log, start } = await served({ answers: [...answers, { text: 'done' }] }, 12);
    const run = await start({ prompt: 'Count.', loop: 'turn', tools: ['shell'] });
    expect((await story(log, run)).slice(-2)).toEqual(['stop: finished; nothing was asked to be checked', 'success']);
    const types: string[] = [];
    for await (const page of log.pages(run)) types.push(...page.map(({ type }) => type));
    expect(types.filter((type) => type === 'run.resumed').length).toBeGreaterThan(1);
    expect(types.filter((type) => type === 'tool.completed')).toHaveLength(12);
    expect(types).not.toContain('tool.interrupted');
    expect(await log.verifyTree(run)).toMatchObject({ kind: 'intact' });
  });

  test('H5 kill -9 in a command: it is reported and not repeated, and our own verbs reach the run', async () => {
    const folder = await temporaryFolder();
    const [store, effects] = [join(folder, 'log.db'), join(folder, 'effects.txt')];
    const command = `echo A >> ${effects}; sleep 30; echo B >> ${effects}`;
    const script: Script = {
      answers: [
        { calls: [{ tool: 'shell', arguments: { command } }] },
        { calls: [{ tool: 'ask_user', arguments: { question: 'Which one?' } }] },
        { text: 'done' },
      ],
    };
    const port = await freePort();
    const words = [String(port), store, folder, JSON.stringify(script)];
    const service = async () => {
      const started = new Program(words, { cwd: folder, file: bundled('test/hosts/restate/serving.process.ts') });
      onTestFinished(() => started.signal('SIGKILL'));
      await started.shows('listening');
      return started;
    };
    const log = openSqliteLog(store);
    onTestFinished(() => log.close());
    const first = await service();
    await server.register(port);
    const run = uuidv7();
    await server.call(run, 'drive/send', { prompt: 'Do it.', loop: 'turn', tools: ['shell', 'ask_user'] });
    const done = () => readFile(effects, 'utf8').catch(() => '');
    await expect.poll(done).toBe('A\n');
    first.signal('SIGKILL');
    await first.ended;
    await service();
    const over = new AbortController();
    onTestFinished(() => over.abort());
    void wakeRuns(log, { ingress: server.ingress, signal: over.signal });
    await recorded(log, run, 'run.paused');
    await new Loops({ log, holds: null }).answer(run, { text: 'the first' });
    expect(await story(log, run)).toEqual([
      'continue: the first step',
      'continue: the calls are answered',
      'answered: the first',
      'continue: the calls are answered',
      'stop: finished; nothing was asked to be checked',
      'success',
    ]);
    await recorded(log, run, 'tool.interrupted');
    expect(await done()).toBe('A\n');
    expect(await log.verify(run)).toMatchObject({ kind: 'intact' });
    expect(await server.call(run, 'drive')).toMatchObject({ left: 'ended', ending: 'success', answer: 'done' });
  });

  test('H5 a run that cannot begin is refused in words, and nothing is recorded', async () => {
    const { log } = await served({ answers: [{ text: 'done' }] });
    const run = uuidv7();
    await expect(server.call(run, 'drive', { prompt: 'x', loop: 'no-such-loop' })).rejects.toThrow(/loop/);
    await expect(server.call(run, 'drive')).rejects.toThrow(/is unknown/);
    expect(await log.runs()).toEqual([]);
  });

  testInTurn(
    'H5 runs survive a hundred kills of their service and twenty of the server, and no command is done twice',
    serviceStorm,
  );
});
