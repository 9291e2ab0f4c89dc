/** The worktrees of simulated experiments are on no disk: looking at them would take real time. */
export const goneFault = async (): Promise<null> => null;
export const sharedFault = async (): Promise<null> => null;
