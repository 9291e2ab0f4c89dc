import { z } from 'zod';
import type { RecordedRuns } from '../records/runs-of-log.ts';
import type { Conversation, ReportedWork } from '../../kernel/loop-definition.ts';
import { Reading } from '../../log/reading.ts';
import { LoopInView } from '../../projections/loop-in-view.ts';
import { shownText } from './line-for-view.ts';

/** One message between a run and its model. `compacted`: it stands in later requests only as part of a summary. */
const MessageView = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  text: z.string(),
  calls: z.array(z.object({ tool: z.string(), arguments: z.string() })),
  /** Of a result: the tool. */
  tool: z.string().nullable(),
  failed: z.boolean(),
  compacted: z.boolean(),
});
export type MessageView = z.infer<typeof MessageView>;

/** A conversation, oldest message first. `earlier`: how many messages before these are left out. */
export const ConversationView = z.object({ messages: z.array(MessageView), earlier: z.int().nonnegative() });
export type ConversationView = z.infer<typeof ConversationView>;

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;
type Message = ReturnType<Conversation['messages']>[number];

/** The newest messages that are shown. */
const MAX_MESSAGES = 400;
const MAX_MESSAGE_CHARS = 8_000;
const MAX_ARGUMENTS_CHARS = 2_000;

/** What a run and its model have said to each other. Empty where its loop has no conversation, or is not known here. */
export async function readConversation({ log, definitions }: Host, run: string): Promise<ConversationView> {
  const reading = new Reading(definitions, { isWhole: true });
  const inView = new LoopInView(definitions);
  let conversation: Conversation | null = null;
  const compacted: Message[] = [];
  let before: readonly Message[] = [];
  for await (const page of log.pages(run)) {
    for (const envelope of page) {
      const read = reading.read(envelope);
      if (read.kind !== 'event') continue;
      conversation ??= inView.observe(read.event)?.conversation?.() ?? null;
      conversation?.observe(read.event);
    }
    // A page is short, and messages that become part of a summary leave at once.
    const now = conversation?.messages() ?? [];
    const kept = new Set(now);
    compacted.push(...before.filter((message) => !kept.has(message)));
    before = now;
  }
  const all = [
    ...compacted.map((message) => messageView(message, true)),
    ...before.map((message) => withWork(messageView(message, false), conversation?.workOf?.(message) ?? [])),
    ...underWay(conversation),
  ];
  return { messages: all.slice(-MAX_MESSAGES), earlier: Math.max(0, all.length - MAX_MESSAGES) };
}

/** What an agent with tools of its own does, as it says, until its answer is there. */
function underWay(conversation: Conversation | null): MessageView[] {
  const work = conversation?.underWay?.();
  if (!work) return [];
  const text = shownText(work.said.join('\n\n'), MAX_MESSAGE_CHARS);
  const plain = { calls: [], tool: null, failed: false, compacted: false };
  return [withWork({ ...plain, role: 'assistant', text }, work.calls)];
}

const withWork = (view: MessageView, work: readonly ReportedWork[]): MessageView => ({
  ...view,
  calls: [
    ...view.calls,
    ...work.map(({ kind, title, status }) => ({
      tool: shownText(kind, MAX_ARGUMENTS_CHARS),
      arguments: shownText(`${title} (${status.replace('_', ' ')})`, MAX_ARGUMENTS_CHARS),
    })),
  ],
});

function messageView(message: Message, compacted: boolean): MessageView {
  const plain = { calls: [], tool: null, failed: false, compacted };
  switch (message.role) {
    case 'user':
      return { ...plain, role: 'user', text: shownText(message.text, MAX_MESSAGE_CHARS) };
    case 'assistant':
      return {
        ...plain,
        role: 'assistant',
        text: shownText(message.text, MAX_MESSAGE_CHARS),
        calls: message.calls.map((call) => ({
          tool: shownText(call.tool, MAX_ARGUMENTS_CHARS),
          arguments: shownText(JSON.stringify(call.arguments) ?? '', MAX_ARGUMENTS_CHARS),
        })),
      };
    case 'tool':
      return {
        ...plain,
        role: 'tool',
        text: shownText(message.output, MAX_MESSAGE_CHARS),
        tool: shownText(message.tool, MAX_ARGUMENTS_CHARS),
        failed: message.failed,
      };
  }
}
