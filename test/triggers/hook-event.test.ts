import { expect, test } from 'vitest';
import { deliveryOf, eventsIn, fits, isOld } from '../../src/triggers/hook-event.ts';
import type { IssueRule } from '../../src/triggers/trigger-rules.ts';
import { promptOf } from '../../src/triggers/follow-run.ts';

test('W5 Linear: labels that were added, mentions and assignments are events', () => {
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
  const read = (more: object) =>
    eventsIn({ source: 'linear', headers: new Headers(), body: JSON.stringify({ ...hook, ...more }) });
  expect(read({ updatedFrom: { labelIds: ['1'] } }).map(({ on, what }) => [on, what])).toEqual([['label', 'b']]);
  expect(read({ updatedFrom: { title: 'before' } })).toEqual([]);
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

test('W5 an address of a mailbox is no mention', () => {
  const mentions = (body: string) => {
    const issue = { number: 7, title: 'T', html_url: 'https://example.org/7', updated_at: '2026-11-02T10:00:00Z' };
    const comment = { body, updated_at: '2026-11-02T10:00:00Z' };
    const hook = { action: 'created', repository: { full_name: 'ada/engine' }, issue, comment };
    const headers = new Headers({ 'x-github-event': 'issue_comment' });
    const [event] = eventsIn({ source: 'github', headers, body: JSON.stringify(hook) });
    const rule: IssueRule = { source: 'github', on: 'mention', match: 'loopfold', repository: 'ada/engine', run: {} };
    return event && fits(rule, event);
  };
  expect(['@loopfold go', '(@loopfold)', 'ada@loopfold.dev', 'loopfold'].map(mentions)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('W5 a webhook of GitHub that sends a form says the same as one that sends JSON', () => {
  const issue = { number: 7, title: 'A & B', html_url: 'https://example.org/7', updated_at: '2026-11-02T10:00:00Z' };
  const label = { name: 'go' };
  const json = JSON.stringify({ action: 'labeled', repository: { full_name: 'ada/engine' }, issue, label });
  const events = (body: string, type: string) =>
    eventsIn({
      source: 'github',
      headers: new Headers({ 'x-github-event': 'issues', 'content-type': type }),
      body,
    });
  const form = new URLSearchParams({ payload: json }).toString();
  const read = events(form, 'application/x-www-form-urlencoded');
  expect(read).toMatchObject([{ on: 'label', what: 'go', title: 'A & B' }]);
  expect(read).toEqual(events(json, 'application/json'));
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
  const [event] = eventsIn({ source: 'github', headers: new Headers({ 'x-github-event': 'workflow_run' }), body });
  expect(event).toMatchObject({ on: 'workflow_failed', what: 'CI', issue: '' });
  expect(event && promptOf(event)).toContain('The workflow CI has failed');
});

test('W5 a delivery is known by what it says: another id in a header, or another time of sending, is the same', () => {
  const one = {
    source: 'github',
    headers: new Headers({ 'x-github-delivery': 'a' }),
    body: '{"action":"labeled"}',
  } as const;
  expect(deliveryOf({ ...one, headers: new Headers({ 'x-github-delivery': 'b' }) })).toBe(deliveryOf(one));
  expect(deliveryOf({ ...one, body: '{"action":"opened"}' })).not.toBe(deliveryOf(one));
  const sent = (body: object) => deliveryOf({ source: 'linear', headers: new Headers(), body: JSON.stringify(body) });
  expect(sent({ id: 1, webhookTimestamp: 5 })).toBe(sent({ id: 1, webhookTimestamp: 9 }));
  expect(sent({ id: 2, webhookTimestamp: 5 })).not.toBe(sent({ id: 1, webhookTimestamp: 5 }));
});

test.each([
  [59_000, false],
  [-59_000, false],
  [61_000, true],
  [-61_000, true],
])('W5 a request of Linear whose time is off by %d ms is old: %s', (ms, expected) => {
  const body = JSON.stringify({ webhookTimestamp: 1_000_000 });
  expect(isOld({ source: 'linear', headers: new Headers(), body }, 1_000_000 + ms)).toBe(expected);
});
