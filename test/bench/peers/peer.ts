/** How the connection that writes keeps what it commits, as its own pragmas say. */
export interface Durability {
  readonly journalMode: string;
  /** 1 is NORMAL: a commit of a write-ahead log is lost with the power. 2 is FULL: it is not. */
  readonly synchronous: number;
}

/** One program that runs turns of durable steps, opened on a store of its own. */
export interface Peer {
  /** The SQLite file that it writes. */
  readonly store: string;
  /** One turn of so many steps, each with an answer and the result of its call. Throws if it did not finish. */
  readonly turn: (steps: number) => Promise<void>;
  readonly durability: () => Promise<Durability>;
  readonly close: () => Promise<void>;
}

export interface PeerSettings {
  readonly folder: string;
  /** Which of several ways to write the same loop; each peer names its own. */
  readonly form: string;
  /** Sets `synchronous=FULL` where the program by itself asks for less. */
  readonly isFull: boolean;
}

export type OpenPeer = (settings: PeerSettings) => Promise<Peer>;
