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
  /** Does everything that can be done before: organizations, bodies and stamps. */
  readonly prepare: (stage: Stage) => Promise<Salvo>
}

export type ServerKind = 'command' | 'host'

/** An attack that is ready. */
export type Salvo = {
  /** How many do it at once. */
  readonly connections: number
  /** Its turns last as long as its connections: it goes on for as long as the honest caller asks. */
  readonly isEndless?: true
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
  /** How many connections there were. */
  connected: number
  bytesSent: number
  bytesRead: number
}

export const noTally = (): Tally => ({ statuses: new Map(), connected: 0, bytesSent: 0, bytesRead: 0 })

export const count = ({ statuses }: Tally, status: number): void => {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
}

/** What a server may always say: that it has too much to do. */
const TOO_MUCH = [429, 503]

/** Statuses that an attack got and that are not documented for it. */
export const unexpected = ({ answers }: Pick<Attack, 'answers'>, statuses: ReadonlyMap<number, number>): number[] =>
  [...statuses.keys()].filter((status) => !answers.includes(status) && !TOO_MUCH.includes(status))
