/*
 * A server in a process of its own, for those who press it: the public API over SQLite. It makes organizations, and says
 * how many events its store holds and how much memory it takes.
 */
import { fileKeystore, nodeIds } from 'countersign'
import { type Engine, createEngine, sqliteStore } from 'countersign/fp'
import { httpServer, type HttpServer } from 'countersign/http'
import { generateKey } from 'countersign/signatures'
import { sandboxPorts } from '../../core/world/ports.ts'
import { doJobs } from '../bench/child.ts'
import { seedOf, type Seed } from '../bench/seed.ts'
import { settle, type Town } from './town.ts'

let running: { readonly engine: Engine; readonly server: HttpServer } | undefined

type Start = {
  readonly path: string
  readonly waitForTurnMaxMs?: number | undefined
  readonly commandsAtOnce?: number | undefined
}

const start = async ({ path, waitForTurnMaxMs, commandsAtOnce }: Start): Promise<string> => {
  const engine = await createEngine({
    store: sqliteStore({ path }),
    keystore: fileKeystore({ path: `${path}.keystore`, make: true }),
    ports: { ...sandboxPorts() },
    ...(commandsAtOnce !== undefined && { tuning: { commandsAtOnce } }),
  })
  const server = httpServer(engine, waitForTurnMaxMs === undefined ? {} : { waitForTurnMaxMs })
  running = { engine, server }
  const { url } = await server.listen()
  return url
}

const engineOf = (): Engine => {
  if (running === undefined) throw new Error('not started')
  return running.engine
}

/** Organizations with one root user and one tag. */
const begin = async ({ organizations }: { readonly organizations: number }): Promise<readonly Seed[]> => {
  const seeds: Seed[] = []
  const one = (): Promise<Seed> => seedOf(engineOf(), nodeIds().uuid(), generateKey('API_KEY_CURVE_P256'))
  while (seeds.length < organizations) {
    const size = Math.min(50, organizations - seeds.length)
    seeds.push(...(await Promise.all(Array.from({ length: size }, one))))
  }
  return seeds
}

/** Organizations in which two more people live, whose activities need both of them. */
const found = async ({ towns }: { readonly towns: number }): Promise<readonly Town[]> => {
  const founded: Town[] = []
  for (const seed of await begin({ organizations: towns })) founded.push(await settle(engineOf(), seed))
  return founded
}

const events = async (): Promise<number> => {
  const last = await engineOf().lastPosition()()
  if (last._tag === 'Left') throw new Error(last.left.message)
  return Number(last.right)
}

/** What stays in memory. */
const rssBytes = async (): Promise<number> => {
  globalThis.gc?.()
  return process.memoryUsage().rss
}

doJobs({ start, begin, found, events, rssBytes }, async () => {
  await running?.server.close()
  await running?.engine.close()
})
