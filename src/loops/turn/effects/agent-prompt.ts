import type { Message } from '../../../actors/model/model.ts';
import type { EarlierSession } from '../../../agents/agent-port.ts';
import { sessionIn } from '../../../agents/agent-session.ts';
import type { AgentPast } from '../agent-past.ts';

/** The task of an agent of others, for a session that begins, and for one that it had before. */
interface AgentPrompt {
  readonly prompt: string;
  readonly session?: EarlierSession;
}

interface Asked {
  readonly messages: readonly Message[];
  readonly past: AgentPast;
  /** A session of an attempt before this one. Null: each begins anew. */
  readonly before: string | null;
  /** By which name the agent is known. */
  readonly name: string;
}

/** The most of what it said and did that an agent is told again. */
const MAX_RECAPPED = 20;

const AGAIN = 'This task was begun before, and interrupted: look at what is there already.';

/**
 * Builds the task: where there was a conversation, a session that begins is told it again, and one that goes on is told
 * what is new. After an interruption both are told what was under way.
 */
export function agentPrompt({ messages, past, before, name }: Asked): AgentPrompt {
  const last = messages.findLastIndex(({ role }) => role !== 'user');
  const asked = messages.slice(last + 1).map(textOf);
  const earlier = messages.slice(0, last + 1);
  const told = earlier.map((message) => `${SPEAKERS[message.role]}:\n${textOf(message)}`);
  const id = past.isInterrupted ? past.session : (sessionIn(messages, name) ?? before);
  const interrupted = past.isInterrupted ? [AGAIN, ...underWay(past)] : [];
  const retold = told.length === 0 ? asked : ['What was said before:', ...told, 'What is asked now:', ...asked];
  const anew = past.isInterrupted ? [...interrupted, ...recap(past), ...retold] : retold;
  return {
    prompt: anew.join('\n\n'),
    ...(id === null ? {} : { session: { id, prompt: [...interrupted, ...asked].join('\n\n') } }),
  };
}

const SPEAKERS = { user: 'The task', assistant: 'You', tool: 'A tool' } as const;

const textOf = (message: Message): string => (message.role === 'tool' ? message.output : message.text);

/** The calls that an interruption has cut off. */
function underWay(past: AgentPast): readonly string[] {
  const calls = past.interrupted().slice(-MAX_RECAPPED);
  if (calls.length === 0) return [];
  const unknown = 'These were interrupted; how far they got is unknown, so check before you do them again:';
  return [[unknown, ...calls.map(({ kind, title }) => `- ${kind}: ${title}`)].join('\n')];
}

/** What another session cannot know of the one before. */
function recap(past: AgentPast): readonly string[] {
  const calls = past.calls().filter(({ status }) => status === 'completed' || status === 'failed');
  const did = calls.slice(-MAX_RECAPPED).map(({ kind, title, status }) => `- ${kind}: ${title}, ${status}`);
  const plan = past.plan.map(({ text, status }) => `- ${text} (${status})`);
  const said = past.said.slice(-MAX_RECAPPED);
  return [
    ...(plan.length === 0 ? [] : [['The plan then:', ...plan].join('\n')]),
    ...(did.length === 0 ? [] : [['What was done, as was said:', ...did].join('\n')]),
    ...(said.length === 0 ? [] : [['What was said:', ...said].join('\n')]),
  ];
}
