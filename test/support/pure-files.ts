/** Files whose tests change nothing that others see: they share threads, and what those have loaded. */
export const PURE: readonly string[] = [
  'test/{text,strategies,detectors,budget,kernel}/**/*.test.ts',
  'test/{corpus,histories,machines,replay,termination}/**/*.test.ts',
  // Those left out start processes, or change timers, variables or what the process listens to.
  'test/config/!(load|private-record).test.ts',
  'test/config/agents/**/*.test.ts',
  'test/judging/!(strategy-effects).test.ts',
  'test/runtime/!(commit|emptied|late-lease|lease-in-commits|leaving-tree|loop-run|shared-timer|strategies).test.ts',
  'test/projections/!(account|run-summary|timeline).test.ts',
  // A thread has no time zone of its own, and those that change theirs need one.
  'test/testing/!(ambient)*.test.ts',
  'test/charts/{drawing/*,trace,mermaid,transitions}.test.ts',
  'docs/examples/own-loop/reviewed.test.ts',
];
