import { join } from 'node:path';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';

// Copied to where LangGraph is installed, and loaded there.
const callsOf = ({ messages }) => messages.at(-1).tool_calls ?? [];

async function tools({ messages }) {
  const [{ id, args }] = callsOf({ messages });
  return { messages: [new ToolMessage({ content: `ok ${args.step}`, tool_call_id: id })] };
}

const answering = (steps) => async (state) => {
  const step = (state.messages.length - 1) / 2;
  const call = { id: `call-${step}`, name: 'nothing', args: { step } };
  const message = step + 1 < steps ? { content: '', tool_calls: [call] } : { content: 'done' };
  return { messages: [new AIMessage(message)] };
};

const graphOf = (steps, checkpointer) =>
  new StateGraph(MessagesAnnotation)
    .addNode('answer', answering(steps))
    .addNode('tools', tools)
    .addEdge(START, 'answer')
    .addConditionalEdges('answer', (state) => (callsOf(state).length > 0 ? 'tools' : END), ['tools', END])
    .addEdge('tools', 'answer')
    .compile({ checkpointer });

/** The loop of an agent as a graph of two nodes. A checkpoint is written after each, before the next goes on. */
export async function open({ folder, isFull }) {
  const store = join(folder, 'langgraph.db');
  const saver = SqliteSaver.fromConnString(store);
  saver.setup();
  if (isFull) saver.db.pragma('synchronous = FULL');
  const graphs = new Map();
  let threads = 0;
  return {
    store,
    turn: async (steps) => {
      threads += 1;
      const graph = graphs.get(steps) ?? graphOf(steps, saver);
      graphs.set(steps, graph);
      const { messages } = await graph.invoke(
        { messages: [new HumanMessage('Count.')] },
        { configurable: { thread_id: `thread-${threads}` }, recursionLimit: 2 * steps + 1, durability: 'sync' },
      );
      if (messages.length !== 2 * steps) throw new Error(`the turn ended with ${messages.length} messages`);
    },
    durability: async () => ({
      journalMode: saver.db.pragma('journal_mode', { simple: true }),
      synchronous: saver.db.pragma('synchronous', { simple: true }),
    }),
    close: async () => saver.db.close(),
  };
}
