import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { catalogue, type Catalogue } from '../../core/definition/catalogue.ts'
import type { Services } from '../../core/definition/port.ts'
import type { Resource } from '../../core/definition/resource.ts'
import { everyResource } from '../../core/resources/every-resource.ts'
import { E } from '../../core/prelude.ts'
import { intlTimeZones } from '../time-zones/intl-time-zones.ts'
import { stopOf, systemReason, unusable } from './stop.ts'

/** What a module of a host exports. */
export type HostModule = {
  /** The built-in resources and those of the host, which a module exports one by one or in lists. */
  readonly resources: readonly Resource[]
  /** The services behind the ports of operations: the export `ports`. An audit needs those that `inspect` asks. */
  readonly ports: Services
}

/** Loads the module that `--resources` names, and adds what it exports to the built-in resources. */
export const hostModule = async (module: string | undefined, builtIn: readonly Resource[]): Promise<HostModule> => {
  if (module === undefined) return { resources: builtIn, ports: {} }
  const exported = await load(module)
  const found = new Set(Object.values(exported).flat().filter(isResource))
  if (found.size === 0) throw unusable(`${module} exports no resource`)
  const known = new Set(builtIn.map(({ name }) => name)) // a module may export these again
  const resources = [...builtIn, ...[...found].filter(({ name }) => !known.has(name))]
  return { resources, ports: isServices(exported['ports']) ? exported['ports'] : {} }
}

/** The catalogue for reading a log: all that is built in, and the resources of a module. */
export const knownResources = async (module: string | undefined): Promise<Catalogue> => {
  const known = catalogue((await hostModule(module, everyResource)).resources, intlTimeZones())
  if (E.isLeft(known)) throw stopOf(known.left)
  return known.right
}

type Exports = { readonly [name: string]: unknown }

const load = async (module: string): Promise<Exports> => {
  try {
    return (await import(pathToFileURL(resolve(module)).href)) as Exports // a module's namespace
  } catch (error) {
    throw unusable(`cannot load ${module}: ${reasonOf(error)}`)
  }
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return `Node ${process.versions.node} runs no TypeScript: give JavaScript, or run it with Node 24`
  return systemReason(error)
}

const isServices = (value: unknown): value is Services => typeof value === 'object' && value !== null

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'unrouted' in value && 'operations' in value && 'states' in value
