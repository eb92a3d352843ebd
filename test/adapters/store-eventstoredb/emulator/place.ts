import { randomBytes } from 'node:crypto'

/** Where a store of a test is: names of streams begin with the prefix, because a server may be shared. */
export type EventStoreDbPlace = {
  readonly connectionString: string
  readonly prefix: string
  /** For the command line: with the prefix in it. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** A place on the server that EVENTSTOREDB_URL names, or on an emulator of its own. */
export const eventStoreDbPlace = async (): Promise<EventStoreDbPlace> => {
  const prefix = `test-${randomBytes(6).toString('hex')}-`
  const { connectionString, close } = await server()
  const url = `${connectionString}${connectionString.includes('?') ? '&' : '?'}prefix=${prefix}`
  return { connectionString, prefix, url, close }
}

const server = async (): Promise<Pick<EventStoreDbPlace, 'connectionString' | 'close'>> => {
  const given = process.env['EVENTSTOREDB_URL']
  if (given !== undefined && given !== '') return { connectionString: given, close: () => Promise.resolve() }
  const { startEmulator } = await import('./emulator.ts')
  const { connectionString, stop } = await startEmulator()
  return { connectionString, close: stop }
}
