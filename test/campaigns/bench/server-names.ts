/** The servers that the bench compares: the engine, and the same HTTP adapter over something that does less. */
export type ServerKind = 'engine' | 'floor' | 'verifying' | 'constant'

/** Their names in tables, by which the tables of two runs are compared. */
export const SERVER_NAMES: Readonly<Record<ServerKind, string>> = {
  engine: 'countersign, durable on SQLite',
  floor: 'the floor: a constant after verification and an append',
  verifying: 'a constant after verification',
  constant: 'a constant, unverified',
}

/** Whether a server appends to a store. */
export const isDurable = (kind: ServerKind): boolean => kind === 'engine' || kind === 'floor'

/** The title of the table about submits. */
export const SUBMITS = 'Stamped submits'
