/**
 * The check of a project with the runner of Node, in one process: without this, Node starts one more for each file of
 * tests, and most of a proof is their start. Tests in which the processes of a runner matter say `node --test`.
 */
export const NODE_TESTS = 'node --test --test-isolation=none';
