import type { Operation } from './operation.ts'

/** The name of the port with the engine's own service that begins an organization below another one. */
export const BEGINNING = 'countersign.beginning'

/** Whether the work of an operation begins an organization below that of the activity. */
export const beginsOrganization = ({ perform }: Pick<Operation, 'perform'>): boolean =>
  perform?.needs !== undefined && Object.hasOwn(perform.needs, BEGINNING)
