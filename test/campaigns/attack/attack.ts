import type { Stage } from './stage.ts'

/** One way in which a caller could harm the others. */
export type Attack = {
  readonly name: string
  /** What is sent, and what it could cost. */
  readonly says: string
  /** What serves: `countersign serve` if not said, or a host with an operation that takes long. */
  readonly server?: ServerKind
  /**
   * The statuses that its requests may get: what is documented. 429 and 503 are always among them, since a server may refuse more
   * work than it can do. 0 stands for no answer: the connection was closed, or nobody read from it.
   */
  readonly answers: readonly number[]
  /** Whether it is only of interest what one such request costs: then it has no turn in a campaign. */
  readonly isSingle?: true
  /**
   * What is known to be broken by it and not mended yet: that is told, and does not make a run fail. Whoever mends it takes this
   * out: a run says where it is not needed any more.
   */
  readonly open?: string
  /** Does everything that can be done before the clock runs: organizations, bodies and stamps. */
  readonly prepare: (stage: Stage) => Promise<Salvo>
}

export type ServerKind = 'command' | 'host'

/** An attack that is ready. */
export type Salvo = {
  /** How many do it at once. */
  readonly connections: number
  /** Called once for each of them. */
  readonly open: (tally: Tally) => Assailant
}

export type Assailant = {
  /** One request, or whatever takes its place; called again and again. */
  readonly turn: () => Promise<void>
  readonly close: () => void
}

/** What an attack has sent, and what it got. */
export type Tally = {
  /** Answers by status; 0 where none came. */
  readonly statuses: Map<number, number>
  bytesSent: number
  bytesRead: number
}

export const noTally = (): Tally => ({ statuses: new Map(), bytesSent: 0, bytesRead: 0 })

export const count = ({ statuses }: Tally, status: number): void => {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
}

/** What a server may always say: that it has too much to do. */
const TOO_MUCH = [429, 503]

/** Statuses that an attack got and that are not documented for it. */
export const unexpected = ({ answers }: Pick<Attack, 'answers'>, statuses: ReadonlyMap<number, number>): number[] =>
  [...statuses.keys()].filter((status) => !answers.includes(status) && !TOO_MUCH.includes(status))
