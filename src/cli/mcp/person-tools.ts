import type { InputRequiredResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { inboxOf } from '../../app/people/question-places.ts';
import { chosen } from '../../app/people/open-question.ts';
import { oneLine, plain } from '../../projections/phrases.ts';
import type { Question } from '../../projections/questions.ts';
import type { DoorRuns } from '../doors/door-runs.ts';
import { OpenQuestion, questionData } from '../doors/run-status-data.ts';
import { shownQuestion } from '../live/question-view.ts';
import { usage } from '../pages/complaint.ts';
import { notTaken, ofPerson, personAtForm, toType } from './persons-command.ts';
import { askForm } from './asked-form.ts';
import { answered, dataResult, failedCall } from './tool-results.ts';
import type { Mcp } from './load-server.ts';
import { named, RunArgument } from './run-tools.ts';

const MAX_ITEMS = 50;
const MAX_REASON_CHARS = 500;
const MAX_ANSWER_CHARS = 20_000;
const MAX_SHOWN_CHARS = 8_000;

const Inbox = z.object({
  waiting: z.array(
    z.object({
      run: z.string(),
      since: z.string(),
      question: OpenQuestion.optional(),
      toMend: z.string().optional().describe('What a person has to mend outside before the run can be resumed'),
    }),
  ),
  more: z.number().int(),
});

const Answer = z.object({
  run: RunArgument,
  text: z.string().min(1).max(MAX_ANSWER_CHARS),
  call: z.string().max(200).optional().describe('Which question, where several are open'),
});

const Ruled = z.object({
  run: z.string(),
  call: z.string(),
  ruling: z.enum(['approved', 'denied', 'answered', 'none']),
});

const AskPerson = z.object({ run: RunArgument, call: z.string().max(200).optional() });

/** Registers the tools about what runs ask people. None of them is a ruling: those a person gives, and no model. */
export function addPersonTools(server: McpServer, door: DoorRuns, mcp: Mcp): void {
  addInbox(server, door);
  addAnswer(server, door);
  addAskPerson(server, door, mcp);
}

/** Lists what runs wait for, cut at so many items. */
function addInbox(server: McpServer, door: DoorRuns): void {
  server.registerTool(
    'inbox',
    {
      title: 'What waits for a person',
      description: 'Everything that runs of the folder wait for, the longest wait first.',
      inputSchema: z.object({}),
      outputSchema: Inbox,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () =>
      answered(async () => {
        const loops = await door.loops();
        if (!loops) return dataResult({ waiting: [], more: 0 });
        const { log, definitions } = loops;
        const { items } = await inboxOf(log, async () => definitions);
        const open = items.flatMap((item) => (item.kind === 'question' ? [item.question] : []));
        const waiting = items.slice(0, MAX_ITEMS).map((item) => {
          const { run, since } = item;
          if (item.kind === 'question') {
            const beside = open.filter((one) =>
              items.some((other) => other.kind === 'question' && other.run === run && other.question === one),
            );
            return { run, since, question: questionData(door.session, run, item.question, beside) };
          }
          return { run, since, toMend: oneLine(item.kind === 'remedy' ? item.text : item.reason, MAX_REASON_CHARS) };
        });
        return dataResult({ waiting, more: items.length - waiting.length });
      }),
  );
}

/** Answers a question of a model. Rulings and forms of servers are refused. */
function addAnswer(server: McpServer, door: DoorRuns): void {
  server.registerTool(
    'answer',
    {
      title: 'Answer a question',
      description:
        'Answers a question that the model of a run asks. Permissions, approvals and questions of MCP servers are ' +
        'refused here.',
      inputSchema: Answer,
      outputSchema: z.object({ run: z.string(), call: z.string(), answer: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ run, text, call }) =>
      answered(async () => {
        const record = await named(door, run);
        const loops = await door.recorded();
        const open = (await loops.questions(record.run)) ?? [];
        const meant = chosen(open, call, 'answer');
        if (!('because' in meant) && meant.form) return failedCall(ofPerson(door, record.run, [meant], open));
        const taken = await loops.answer(record.run, { text, ...(call === undefined ? {} : { call }) });
        if (taken.kind !== 'received') return failedCall(notTaken(door, record.run, taken));
        return dataResult({ run: record.run, call: taken.question?.callId ?? call ?? '', answer: plain(text) });
      }),
  );
}

/** Shows a person what a run asks for, and passes their ruling on. */
function addAskPerson(server: McpServer, door: DoorRuns, mcp: Mcp): void {
  server.registerTool(
    'ask_person',
    {
      title: 'Ask a person for a ruling',
      description:
        'Shows the person at this client what a run asks permission or approval for, and passes on their own yes or ' +
        'no. A client that cannot ask them gets the command that they type.',
      inputSchema: AskPerson,
      outputSchema: Ruled,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ run, call }, context) =>
      answered(async () => {
        const record = await named(door, run);
        const loops = await door.recorded();
        const open = (await loops.questions(record.run)) ?? [];
        const question = open.find(
          ({ kind, form, callId }) => (kind !== 'question' || form) && (call === undefined || callId === call),
        );
        if (!question) throw usage('call', 'a permission or an approval that waits', call ?? 'none');
        if (!canAsk(server, context)) throw toType(door, record.run, question, open);
        const { lines } = await shownQuestion(loops, question);
        if (question.form) {
          const filled = await askForm({ mcp, context, loops, run: record.run }, question, lines);
          return typeof filled === 'string' ? failedCall(filled) : filled;
        }
        const key = `ruling-${question.event}`;
        const heard = heardOf(mcp, context, key);
        if (heard === null) return asked(mcp, key, lines, choicesOf(question));
        if (heard === 'none') return dataResult({ run: record.run, call: question.callId, ruling: 'none' });
        const { approval } = question;
        const granted = heard !== 'deny';
        const ruled = await loops.grant(record.run, {
          call: question.callId,
          granted,
          ...(approval ? { digest: approval.digest } : {}),
          remember: heard === IN_RUN,
          by: await personAtForm(door),
        });
        if (ruled.kind !== 'received') return failedCall(notTaken(door, record.run, ruled));
        return dataResult({ run: record.run, call: question.callId, ruling: granted ? 'approved' : 'denied' });
      }),
  );
}

const IN_RUN = 'approve such calls in this run';
const CHOICES = ['approve', 'deny', IN_RUN] as const;
const Ruling = z.object({ ruling: z.enum(CHOICES) });
type Choice = (typeof CHOICES)[number];

/** Only the call of a tool can be allowed for good. */
const choicesOf = ({ remembers }: Question): readonly Choice[] =>
  CHOICES.filter((choice) => choice !== IN_RUN || remembers !== undefined);

function asked(
  { inputRequired }: Mcp,
  key: string,
  lines: readonly string[],
  choices: readonly Choice[],
): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [key]: inputRequired.elicit({
        message: plain(lines.join('\n')).slice(0, MAX_SHOWN_CHARS),
        requestedSchema: {
          type: 'object',
          properties: { ruling: { type: 'string', title: 'Your ruling', enum: [...choices] } },
          required: ['ruling'],
        },
      }),
    },
  });
}

/** The ruling that came back. Null: they have not been asked. `none`: they closed the form. */
function heardOf({ acceptedContent }: Mcp, { mcpReq }: ServerContext, key: string): Choice | 'none' | null {
  const responses = mcpReq.inputResponses;
  if (responses?.[key] === undefined) return null;
  const given = acceptedContent(responses, key, Ruling);
  return given?.ruling ?? 'none';
}

/** Each request of the newer protocol names what its client can do, a session of the older one once. */
function canAsk(server: McpServer, { mcpReq: { envelope } }: ServerContext): boolean {
  const said = Object.values(envelope ?? {}).find(
    (one) => typeof one === 'object' && one !== null && 'elicitation' in one,
  );
  return said !== undefined || server.server.getClientCapabilities()?.elicitation !== undefined;
}
