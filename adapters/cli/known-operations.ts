import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { catalogue, type Catalogue } from '../../core/operations/catalogue.ts'
import type { Operation } from '../../core/operations/operation.ts'
import { createOrganization } from '../../core/operations/organization/create-organization.ts'
import { publicApi } from '../../core/operations/public-api.ts'
import { E } from '../../core/prelude.ts'
import { stopOf, systemReason, unusable } from './stop.ts'

/**
 * The operations that a log may hold: the built-in ones, and those that a module of the host exports, one by one or in
 * lists.
 */
export const knownOperations = async (module: string | undefined): Promise<Catalogue> => {
  const added = module === undefined ? [] : await operationsOf(module)
  const builtIn = new Set([...publicApi, createOrganization].map(({ path }) => path)) // a module may export these again
  const known = catalogue([...publicApi, ...added.filter(({ path }) => !builtIn.has(path))], [createOrganization])
  if (E.isLeft(known)) throw stopOf(known.left)
  return known.right
}

const operationsOf = async (module: string): Promise<readonly Operation[]> => {
  let exported: { readonly [name: string]: unknown }
  try {
    exported = (await import(pathToFileURL(resolve(module)).href)) as typeof exported // a module's namespace
  } catch (error) {
    throw unusable(`cannot load ${module}: ${systemReason(error)}`)
  }
  const found = new Set(Object.values(exported).flat().filter(isOperation))
  if (found.size === 0) throw unusable(`${module} exports no operation`)
  return [...found]
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'versions' in value && 'execute' in value && 'evolve' in value
