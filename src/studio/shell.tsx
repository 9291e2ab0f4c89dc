import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { isReadOnly, readAbout, shut } from './about.ts';
import { CompareScreen } from './compare-screen.tsx';
import { InboxScreen, readInbox, waiting } from './inbox-screen.tsx';
import { LabScreen } from './lab-screen.tsx';
import { failures, isConnected, onChange } from './live.ts';
import { go, place, runHref } from './page-address.ts';
import { RunScreen } from './run-screen.tsx';
import { RunsScreen } from './runs-screen.tsx';
import { StartScreen } from './start-screen.tsx';

const TABS = ['chart', 'waterfall', 'evidence', 'diff', 'conversation', 'money', 'events', 'report'];

/** The page that a server shows: its screens, and the keys that lead to them. */
export function Shell(): JSX.Element {
  const isReached = isConnected.value;
  const failed = failures.value;
  useEffect(() => {
    // A server that was started again lets in by another address.
    void readAbout();
  }, [isReached, failed]);
  useEffect(() => {
    void readInbox();
    addEventListener('keydown', keys);
    const stop = onChange(() => {
      void readInbox();
      if (shut.peek() !== null) void readAbout();
    });
    return () => {
      removeEventListener('keydown', keys);
      stop();
    };
  }, []);
  const { screen, run } = place.value;
  return (
    <>
      <header class="bar">
        <nav aria-label="Screens">
          <Tab name="runs" href="#/runs" words="Runs" hint="r" />
          <Tab name="inbox" href="#/inbox" words={waiting.value > 0 ? `Inbox (${waiting.value})` : 'Inbox'} hint="i" />
          <Tab name="lab" href="#/lab" words="Lab" hint="l" />
          {!isReadOnly.value && <Tab name="start" href="#/start" words="Start" hint="s" />}
        </nav>
        <span role="status" class="quiet">
          {shut.value ?? (isConnected.value ? '' : 'the server does not answer; the page tries again')}
        </span>
      </header>
      {screen === 'runs' && <RunsScreen />}
      {screen === 'inbox' && <InboxScreen />}
      {screen === 'compare' && <CompareScreen which={run} />}
      {screen === 'lab' && <LabScreen run={run === '' ? null : run} />}
      {screen === 'start' && <StartScreen />}
      {screen === 'run' && <RunScreen key={run} run={run} given={null} />}
    </>
  );
}

interface TabProps {
  readonly name: string;
  readonly href: string;
  readonly words: string;
  readonly hint: string;
}

const Tab = ({ name, href, words, hint }: TabProps): JSX.Element => (
  <a href={href} aria-current={place.value.screen === name ? 'page' : undefined} title={`key ${hint}`}>
    {words}
  </a>
);

/** One key each, where nothing is being typed. */
function keys(event: KeyboardEvent): void {
  const { target, key } = event;
  const isTyped = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
  const screen = { r: '#/runs', i: '#/inbox', l: '#/lab', s: '#/start' }[key];
  if (screen !== undefined) return go(screen);
  if (key === '/') {
    event.preventDefault();
    go('#/runs');
    requestAnimationFrame(() => document.getElementById('find')?.focus());
  }
  const { screen: now, run } = place.peek();
  const tab = TABS[Number(key) - 1];
  const isAsked = target instanceof HTMLElement && target.closest('.asked') !== null;
  if (now === 'run' && tab !== undefined && !isAsked) go(runHref(run, tab));
}
