import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { localServices } from '../../src/hosts/local/local-services.ts';
import { RunObserver } from '../support/observers.ts';
import { ended } from '../support/run-history.ts';
import type { Production } from './productions.ts';

const AUTHOR = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
/** The two that touch a disk: attempts of a contest work in worktrees. */
const { capture, verify } = localServices({ model: scriptedModel({ answers: [{ text: 'unused' }] }) });

/** Two attempts at once, in a repository of their own. Each writes one file, and says that it is done. */
const contest =
  (path: string): Production['play'] =>
  async (recorder) => {
    const directory = await mkdtemp(join(tmpdir(), 'contest-'));
    const git = (...words: readonly string[]) => execFileSync('git', [...AUTHOR, ...words], { cwd: directory, encoding: 'utf8' });
    try {
      git('init', '--quiet');
      await writeFile(join(directory, 'README'), 'A clock.\n');
      git('add', '--all');
      git('commit', '--quiet', '--no-verify', '--message=start');
      const base = git('rev-parse', 'HEAD^{tree}').trim();
      const call = { tool: 'write', arguments: { path, content: 'tick\n' } };
      const { supervisor, settingsOf } = recorder.harness({
        model: ({ step }) => (step === 0 ? { text: 'I begin.', calls: [call] } : { text: 'done' }),
        services: { capture, verify },
      });
      const settings = settingsOf({
        ...{ attempts: 2, parallel: 2, directory, tools: ['write', 'finish'], maxTokens: 10_000, maxIterations: 1 },
        ...{ checks: ['L1:test -f clock.txt'], accept: 'weak', control: 'off', walls: 'off' },
      });
      const proof = { base, at: '2026-03-01T12:00:00.000Z', head: null, protect: [], unprotect: [], dependencies: [] };
      const observer = new RunObserver();
      const live = await supervisor.start({ ...settings, proof }, observer.watch);
      return await ended(live);
    } finally {
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  };

export const contestProductions: Readonly<Record<string, Production>> = {
  'contest-success': {
    about: 'A contest of two attempts at once that are proven alike: the first one is brought into the folder.',
    play: contest('clock.txt'),
  },
  'contest-cap-hit': {
    about: 'A contest of two attempts whose work passes no check: nothing is brought.',
    play: contest('sundial.txt'),
  },
};
