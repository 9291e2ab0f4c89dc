import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { listing, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const DONE = { answers: [{ text: 'It is done.' }] };
const FILES = { 'a.test.js': '', 'loopfold.config.json': '{"maxIterations": 2}' };
const WORDS = ['run', 'Fix the parser.', ...MODEL, '--verify', 'touch ran', '--dry-run'] as const;

const refsIn = (cwd: string): string => execFileSync('git', ['-C', cwd, 'for-each-ref'], { encoding: 'utf8' });

describe.concurrent('G9 run --dry-run', () => {
  test('X9 lists contradicting rules in the order in which they count, and names the one that never does', async () => {
    const permissions = ['deny shell command=git push', 'allow shell command=git push'];
    const cwd = await project(DONE, { ...FILES, 'loopfold.config.json': JSON.stringify({ permissions }) });
    const { stdout } = await loopfold([...WORDS, '--trust'], { cwd });
    expect(stdout).toMatch(/^permissions +deny shell command=git push\n +allow shell command=git push\n/m);
    expect(stdout).toContain(
      '"allow shell command=git push" never counts: "deny shell command=git push" stands before',
    );
  });

  test('X9 refuses a rule with a bad pattern, with the pattern and the place where it is written', async () => {
    const permissions = ['deny shell', 'ask edit path=src/{a'];
    const cwd = await project(DONE, { ...FILES, 'loopfold.config.json': JSON.stringify({ permissions }) });
    const { status, stderr } = await loopfold(WORDS, { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain('loopfold.config.json:1: permissions[1]: expected a glob whose brackets are closed');
    expect(stderr).toContain("found 'ask edit path=src/{a'");
  });

  test('prints the first request, its price, caps, checks and grounds, and leaves nothing', async () => {
    const cwd = await project(DONE, FILES);
    const before = await listing(cwd);
    const { status, stdout, stderr } = await loopfold(WORDS, { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const row = (name: string) => new RegExp(`^${name} +(.*)$`, 'm').exec(stdout)?.[1];
    expect(row('request')).toMatch(/^~[\d,]+ tokens, price unknown$/);
    expect(row('parameters')).toBe('effort default, temperature default, length of answers default');
    expect(stdout).toMatch(/^ +the checks run first: what fails in them is added to it, and is not in that estimate$/m);
    expect(row('caps')).toBe('2 iterations; 200 steps, 200 tool calls an attempt');
    expect(row('checks')).toBe('L0 touch ran, in a clean checkout, at most ten times as long as before any work');
    expect(row('grounds')).toBe('1 of 3 files, which loopfold grounds lists');
    expect(stdout).toMatch(/^user\n {2}Fix the parser\.$/m);
    expect(stdout).toMatch(/^tools \(\d+\)\n {2}read +~\d+ tokens$/m);
    expect(await listing(cwd)).toEqual(before);
    expect(refsIn(cwd)).toBe('');
  });

  test('needs no key of a provider: a missing one is a warning, and the price is known', async () => {
    const cwd = await project(DONE, FILES);
    const words = ['run', 'x', '-m', 'openai/gpt-5', '--judge', 'anthropic/claude-sonnet-4-5', '--max-cost', '1'];
    const { status, stdout, stderr } = await loopfold([...words, '--verify', 'true', '--dry-run'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^request +~[\d,]+ tokens, ~\$0\.\d+ /m);
    expect(stdout).toMatch(/^warning +openai\/gpt-5 needs a key\. Set the environment variable OPENAI_API_KEY\.$/m);
    expect((await loopfold(words, { cwd })).status).toBe(3);
  });

  testInTurn('names a command that works without a key where no model is named', async () => {
    const cwd = await project(DONE, FILES);
    const { status, stderr } = await loopfold(['run', 'x', '--verify', 'true', '--dry-run'], { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/found none\nTry: .*run x --verify true --dry-run -m openai\/gpt-5$/m);
  });

  test('V17 lists each step of a check that a proof runs', async () => {
    const manifest = JSON.stringify({ scripts: { pretest: 'eslint .', test: 'node --test' } });
    const cwd = await project(DONE, { 'package.json': manifest });
    const words = ['run', 'x', ...MODEL, '--verify', 'npm test', '--dry-run'];
    const { stdout } = await loopfold(words, { cwd });
    expect(stdout).toMatch(
      /^checks +L0 npm test: eslint \., in a clean checkout.*\n +L0 npm test: node --test, in a clean/m,
    );
    const { stdout: whole } = await loopfold([...words, '--check-in', 'workspace'], { cwd });
    expect(whole).toMatch(/^checks +L0 npm test, in the workspace/m);
  });

  testInTurn('--json has the same for a program, and either output format on one line', async () => {
    const cwd = await project(DONE, FILES);
    const { stdout } = await loopfold([...WORDS, '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'dry-run',
      loop: 'iteration',
      limits: { maxIterations: 2 },
      request: { messages: [{ role: 'user', text: expect.stringMatching(/^Fix the parser\./) }] },
      parameters: { effort: null, temperature: null, maxAnswerTokens: null, providerOptions: null },
      inputTokens: expect.any(Number),
      answerTokens: null,
      addsBaseline: true,
      costUsd: null,
      checkIn: 'proof',
      grounds: { paths: ['a.test.js'] },
    });
    const lines = (await loopfold([...WORDS, '--output-format', 'stream-json'], { cwd })).stdout.trimEnd().split('\n');
    expect(lines).toEqual([JSON.stringify(JSON.parse(stdout))]);
  });

  testInTurn('shows how the model is asked, and warns where a cap has no room for that', async () => {
    const cwd = await project(DONE, FILES);
    const how = ['--effort', 'high', '--temperature', '0.2', '--max-answer-tokens', '4000', '--max-tokens', '70'];
    const options = ['--provider-options', '{"openai":{"user":"me"}}'];
    const words = [...WORDS, ...how, ...options];
    const { stdout } = await loopfold(words, { cwd });
    expect(stdout).toMatch(
      /^parameters +effort high, temperature 0.2, answers of at most \d+ tokens, options {"openai":{"user":"me"}}$/m,
    );
    expect(stdout).toMatch(/^warning +The first request alone passes maxTokens \(--max-tokens\): /m);
    const { parameters, warnings } = JSON.parse((await loopfold([...words, '--json'], { cwd })).stdout);
    expect(parameters).toEqual({
      effort: 'high',
      temperature: 0.2,
      maxAnswerTokens: 4_000,
      providerOptions: { openai: { user: 'me' } },
    });
    expect(warnings).toContainEqual(expect.stringContaining('The run would end before it asks anything.'));
  });

  testInTurn('what is proposed needs no confirmation, and a price is estimated without a request', async () => {
    const manifest = JSON.stringify({ scripts: { test: 'node --test' } });
    const cwd = await project(DONE, { 'package.json': manifest });
    const env = { HOME: cwd, OPENAI_API_KEY: 'sk-o', OPENAI_BASE_URL: 'http://127.0.0.1:9' };
    const { status, stdout } = await loopfold(['run', 'x', '--dry-run'], { cwd, env });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^model +openai\/gpt-5, window of [\d,]+ tokens$/m);
    expect(stdout).toMatch(/^request +~[\d,]+ tokens, ~\$0\.\d+ \(\$[\d.]+ in, /m);
    expect(stdout).toMatch(/no cap on money or tokens: --max-cost 5$/m);
    expect(stdout).toMatch(/^checks +L0 npm test, /m);
    expect(await listing(cwd)).not.toContain('.config');
  });

  testInTurn('improve says that its first request is not known before anything is found', async () => {
    const cwd = await project(DONE, FILES);
    const words = ['improve', ...MODEL, '--verify', 'touch ran', '--dry-run'] as const;
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.test'];
    execFileSync('git', ['-C', cwd, 'add', '.']);
    execFileSync('git', ['-C', cwd, ...who, 'commit', '--quiet', '-m', 'begin']);
    const { status, stdout, stderr } = await loopfold(words, { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^request +only the loop improvement knows what it asks$/m);
    const fault = await loopfold([...words, '--items', 'absent.md'], { cwd });
    expect(fault.status).toBe(2);
    expect(fault.stderr).toContain(`--items: expected a file with open items, from ${cwd}, found 'absent.md'`);
    expect(await loopfold([...words, '--items', 'a.test.js'], { cwd })).toMatchObject({ status: 0 });
  });

  test('faults are those of a run, and --json without it is one', async () => {
    const cwd = await project(DONE, FILES);
    const fault = await loopfold([...WORDS, '--strategy', 'spiral'], { cwd });
    expect(fault).toMatchObject({ status: 2, stderr: expect.stringContaining('strategy (--strategy)') });
    const alone = await loopfold(['run', 'x', ...MODEL, '--json', '--output-format', 'json'], { cwd });
    expect(resultIn(alone)).toMatchObject({ exit: 2, error: expect.stringContaining('--json: expected --dry-run') });
  });
});
