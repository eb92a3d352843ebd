import type { Event } from '../log/event.ts'
import type { RowChange } from '../ports/read-models.ts'

/**
 * A read model: a pure function from events to changes of rows. The engine runs it over the whole log, in order, and
 * moves rows and checkpoint in one transaction.
 */
export type Projection = {
  readonly name: string
  /** A new version is built anew beside the old one. */
  readonly version: number
  readonly project: (event: Event, position: bigint) => readonly RowChange[]
}

/** Defines a projection. */
export const projection = (definition: Projection): Projection => definition

/** The name under which rows and checkpoint are kept. */
export const storedName = ({ name, version }: Projection): string => `${name}@${version}`
