/*
 * A server of the bench in a process of its own, with an engine over PostgreSQL or SQLite. Several of them can serve one store on PostgreSQL.
 */
import { nodeIds, publicApi } from 'countersign'
import { createEngine, postgresStore, sqliteStore, type Engine } from 'countersign/fp'
import { httpServer, type HttpServer } from 'countersign/http'
import { generateKey, stamper } from 'countersign/signatures'
import { doJobs } from './child.ts'
import { encode, renaming, seedOf, stampedBy, tagName, type Seed } from './seed.ts'
import { tagNames } from './tag-names.ts'

export type StartProcess = {
  readonly store: { readonly path: string } | { readonly url: string; readonly schema: string }
  /** How many organizations it begins. */
  readonly organizations: number
  /** Whether it keeps the rows of a list. */
  readonly hasList: boolean
}
export type StartedProcess = { readonly url: string; readonly seeds: readonly Seed[] }

let running: { readonly server: HttpServer; readonly engine: Engine } | undefined

const start = async ({ store, organizations, hasList }: StartProcess): Promise<StartedProcess> => {
  const engine = await createEngine({
    store: 'path' in store ? sqliteStore(store) : postgresStore(store),
    ...(hasList ? { resources: [...publicApi, tagNames] } : {}),
  })
  const server = httpServer(engine)
  running = { server, engine }
  const { url } = await server.listen()
  const key = generateKey('API_KEY_CURVE_P256')
  const seeds: Seed[] = []
  while (seeds.length < organizations) {
    const many = Math.min(AT_ONCE, organizations - seeds.length)
    seeds.push(...(await Promise.all(Array.from({ length: many }, () => seedOf(engine, nodeIds().uuid(), key)))))
  }
  return { url, seeds }
}

const AT_ONCE = 64

const engine = (): Engine => {
  if (running === undefined) throw new Error('it has not started')
  return running.engine
}

export type Renamed = { readonly seed: Seed; readonly name: string }

/** Renames the tag, and resolves when that is durable. */
const rename = async ({ seed, name }: Renamed): Promise<void> => {
  const answer = await engine().submit('update_user_tag', stampedBy(stamper(seed.key), renaming(seed, name)))()
  if (answer._tag === 'Left') throw new Error(answer.left.message)
}

export type Listed = { readonly ms: number; readonly isRefused: boolean }

/** Asks the list that has a row for the tag. A list without the new name would be a fault. */
const list = async ({ seed, name }: Renamed): Promise<Listed> => {
  const request = stampedBy(stamper(seed.key), encode({ organizationId: seed.organizationId }))
  const askedAt = performance.now()
  const answer = await engine().query('list_tag_names', request)()
  const ms = performance.now() - askedAt
  if (answer._tag === 'Left') return { ms, isRefused: true }
  if (!JSON.stringify(answer.right).includes(JSON.stringify(tagName(name))))
    throw new Error('the list did not have what had been answered before it was asked')
  return { ms, isRefused: false }
}

export type Trickle = {
  readonly seed: Seed
  readonly perSecond: number
  readonly forMs: number
  readonly name: string
}

/** Renames the tag so often in a second. */
const trickle = async ({ seed, perSecond, forMs, name }: Trickle): Promise<void> => {
  const count = Math.round((perSecond * forMs) / 1000)
  const startedAt = performance.now()
  for (let n = 0; n < count; n++) {
    const pause = startedAt + (n * 1000) / perSecond - performance.now()
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    await rename({ seed, name: `${name}-${n}` })
  }
}

doJobs({ start, rename, list, trickle }, async () => {
  await running?.server.close()
  await running?.engine.close()
})
