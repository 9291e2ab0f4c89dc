import { describe, expect, test } from 'vitest';
import { inferredTraits } from '../../src/detectors/traits-by-name.ts';
import { commandOf, says } from '../../src/detectors/traits.ts';

const given = (value: unknown) => ({ arguments: value as never });
const writes = (name: string, value: unknown = {}) => says(inferredTraits(name).writes, given(value));
const reads = (name: string, value: unknown = {}) => says(inferredTraits(name).reads, given(value));
const polls = (name: string) => says(inferredTraits(name).polling, given({}));
const command = (name: string, value: unknown) => commandOf(inferredTraits(name), given(value));

describe('D14 what is assumed of a tool that says nothing of itself', () => {
  test.each([
    'write_file',
    'mcp__files__write_file',
    'mcp__github__createIssue',
    'files.edit-file',
    'TodoWrite',
    'add_comment_to_pull_request',
    'github:merge/update_branch',
  ])('D14 %s changes something', (name) => {
    expect(writes(name)).toBe(true);
    expect(reads(name)).toBe(false);
  });

  test.each(['read_file', 'mcp__github__listIssues', 'Grep', 'mcp__write__search', 'fetch-url', 'ls'])(
    'D14 %s only reads',
    (name) => {
      expect(reads(name)).toBe(true);
      expect(writes(name)).toBe(false);
    },
  );

  test.each(['wait_for_job', 'mcp__ci__poll', 'watch-build', 'ci.jobStatus'])('D17 %s waits', (name) =>
    expect(polls(name)).toBe(true),
  );

  test('D17 a tool that sets a status does not wait', () => expect(polls('update_status')).toBe(false));

  test('D14 arguments tell what a name does not', () => {
    expect(writes('str_tool', { path: 'a', new_str: 'x' })).toBe(true);
    expect(writes('apply', { diff: '@@' })).toBe(true);
    expect(reads('tool', { file_path: 'a' })).toBe(true);
    expect(reads('tool', { query: 'main' })).toBe(true);
    expect(reads('tool', { path: 'a', content: 'x' })).toBe(false);
    expect(reads('tool', { value: 1 })).toBe(false);
  });

  test('D14 a command is one of a shell, and beside a path an order to an editor', () => {
    expect(command('Bash', { command: 'npm test' })).toBe('npm test');
    expect(command('run', { cmd: 'ls', cwd: '/x' })).toBe('ls');
    expect(command('str_replace_based_edit_tool', { command: 'view', path: 'a.ts' })).toBe(null);
    expect(reads('str_replace_based_edit_tool', { command: 'view', path: 'a.ts' })).toBe(false);
    expect(command('tool', { command: ['ls'] })).toBe(null);
  });

  test.each([
    ['ok', 0],
    ['boom\n[exit code 3]', 3],
    ['Exit code: 127', 127],
    ['{"stdout":"","exit_code":2}', 2],
    ['the process exited with code 1', 1],
    [`${'x'.repeat(500)} exit code 4 ${'x'.repeat(500)}`, 0],
  ])('D13 the status in %j', (text, status) => expect(inferredTraits('Bash').command?.statusIn(text)).toBe(status));

  test.each([
    ['', true],
    ['[]', true],
    ['No matches found', true],
    ['0 results', true],
    ['[no line of any file matches]', true],
    ['src/a.ts:1: no match for this', false],
  ])('D14 %j says that nothing was found: %s', (text, nothing) => {
    expect(inferredTraits('search').foundNothing?.(text)).toBe(nothing);
    expect(inferredTraits('delete_all').foundNothing?.(text)).toBe(false);
  });

  test('D14 whatever the arguments are, it does not throw', () => {
    for (const value of [null, 'text', 7, [], { command: null }, { path: {} }])
      for (const name of ['', '__', 'mcp__', 'Bash', 'édit'])
        expect([writes(name, value), reads(name, value), command(name, value)]).toHaveLength(3);
  });
});
