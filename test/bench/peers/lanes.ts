/** One way to run the workload. */
export interface Lane {
  readonly name: string;
  readonly program: 'loopfold' | 'floor' | 'mastra' | 'langgraph';
  readonly form: string;
  readonly isFull: boolean;
  /** What is durable before what goes on. */
  readonly keeps: string;
  /** How many times as fast we have to be; without it, the ratio is only told. */
  readonly wanted?: { readonly sequence: number; readonly together: number };
}

const BEFORE_TOOL = 'the answer before its tool starts, the result before the next answer';

/** What is measured, ourselves first. */
export const LANES: readonly [Lane, ...Lane[]] = [
  { name: 'loopfold', program: 'loopfold', form: 'turn', isFull: true, keeps: BEFORE_TOOL },
  { name: 'floor', program: 'floor', form: 'machine', isFull: true, keeps: BEFORE_TOOL },
  {
    name: 'mastra',
    program: 'mastra',
    form: 'nested',
    isFull: true,
    keeps: BEFORE_TOOL,
    wanted: { sequence: 1.5, together: 5 },
  },
  { name: 'mastra, flat', program: 'mastra', form: 'flat', isFull: true, keeps: BEFORE_TOOL },
  {
    name: 'mastra, joined',
    program: 'mastra',
    form: 'joined',
    isFull: true,
    keeps: 'the result before the next answer; a tool starts before its answer is durable',
  },
  { name: 'langgraph', program: 'langgraph', form: 'graph', isFull: true, keeps: BEFORE_TOOL },
  {
    name: 'langgraph, as shipped',
    program: 'langgraph',
    form: 'graph',
    isFull: false,
    keeps: `${BEFORE_TOOL}; a power failure may take both`,
  },
];
