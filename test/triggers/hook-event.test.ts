import { expect, test } from 'vitest';
import { eventsIn, fits } from '../../src/triggers/hook-event.ts';
import type { IssueRule } from '../../src/triggers/trigger-rules.ts';
import { promptOf } from '../../src/triggers/trigger-text.ts';

test('W5 Linear: labels that were added, mentions and assignments are events, unless their time is old', () => {
  const now = Date.parse('2026-11-02T10:00:00Z');
  const data = {
    id: 'i',
    title: 'T',
    description: 'D',
    team: { key: 'ENG' },
    labels: [
      { id: '1', name: 'a' },
      { id: '2', name: 'b' },
    ],
  };
  const hook = { action: 'update', type: 'Issue', createdAt: '2026-11-02T10:00:00Z', webhookTimestamp: now, data };
  const read = (more: object, at = now) =>
    eventsIn({ source: 'linear', headers: new Headers(), body: JSON.stringify({ ...hook, ...more }) }, at);
  expect(read({ updatedFrom: { labelIds: ['1'] } }).map(({ on, what }) => [on, what])).toEqual([['label', 'b']]);
  expect(read({ updatedFrom: { title: 'before' } })).toEqual([]);
  expect(read({ updatedFrom: { labelIds: [] } }, now + 120_000)).toEqual([]);
  const assigned = { data: { ...data, assignee: { name: 'Ada' } }, updatedFrom: { assigneeId: null } };
  expect(read(assigned).map(({ on, what }) => [on, what])).toEqual([['assigned', 'Ada']]);
  const comment = {
    type: 'Comment',
    action: 'create',
    data: { id: 'c', body: 'Hey @Loopfold, go', issue: { id: 'i', title: 'T', team: { key: 'ENG' } } },
  };
  const [mention] = read(comment);
  const rule: IssueRule = { source: 'linear', on: 'mention', match: '@loopfold', repository: 'eng', run: {} };
  expect(mention && fits(rule, mention)).toBe(true);
  expect(mention && fits({ ...rule, match: 'loop' }, mention)).toBe(false);
});

test('W5 a workflow that failed is an event without an issue', () => {
  const body = JSON.stringify({
    action: 'completed',
    repository: { full_name: 'ada/engine' },
    workflow_run: {
      name: 'CI',
      conclusion: 'failure',
      html_url: 'https://example.org/run',
      updated_at: '2026-11-02T10:00:00Z',
    },
  });
  const [event] = eventsIn({ source: 'github', headers: new Headers({ 'x-github-event': 'workflow_run' }), body }, 0);
  expect(event).toMatchObject({ on: 'workflow_failed', what: 'CI', issue: '' });
  expect(event && promptOf(event)).toContain('The workflow CI has failed');
});
