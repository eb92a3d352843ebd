/*
 * The servers of the bench, each in a process of its own: the engine on SQLite, and the same HTTP adapter over an engine
 * that answers everything with one activity, with and without verifying the stamp before.
 */
import { createEngine, nodeIds, nodeSignatures, type ActivityView, type Engine, type Request } from 'countersign'
import { httpServer, type HttpServer } from 'countersign/http'
import { sqliteStore } from 'countersign/store-sqlite'
import { memoryStore } from 'countersign/store-memory'
import { parseStrict } from '../../core/json/strict-json.ts'
import { parseStamp, verifyStamp } from '../../core/stamp/stamp.ts'
import { doJobs } from './child.ts'
import { renaming, seedOf, stampedBy, type Seed } from './seed.ts'
import { generateKey, stamper } from 'countersign/signatures'

export type ServerKind = 'engine' | 'verifying' | 'constant'
export type StartServer = { readonly kind: ServerKind; readonly path: string }
export type Started = Seed & { readonly url: string }

let running: { readonly server: HttpServer; readonly engine: Engine } | undefined

const start = async ({ kind, path }: StartServer): Promise<Started> => {
  const store = kind === 'engine' ? sqliteStore({ path }) : memoryStore()
  const engine = await createEngine({ store })
  const seed = await seedOf(engine, nodeIds().uuid(), generateKey('API_KEY_CURVE_P256'))
  const served = kind === 'engine' ? engine : await constantly(engine, seed, kind === 'verifying')
  const server = httpServer(served)
  running = { server, engine }
  const { url } = await server.listen()
  return { ...seed, url }
}

/** The engine with its answers fixed. */
const constantly = async (engine: Engine, seed: Seed, verifies: boolean): Promise<Engine> => {
  const stamp = stamper(seed.key)
  const view = await engine.submit('update_user_tag', stampedBy(stamp, renaming(seed, 'fixed')))()
  const who = await engine.query(
    'whoami',
    stampedBy(stamp, new TextEncoder().encode(JSON.stringify({ organizationId: seed.organizationId }))),
    'string',
  )()
  if (view._tag === 'Left' || who._tag === 'Left') throw new Error('the engine does not answer')
  const signatures = nodeSignatures()
  const check = verifies ? isStamped(signatures) : async () => true
  const refused = { _tag: 'Left', left: { code: 'SIGNATURE_INVALID', message: 'not verified' } } as const
  return {
    ...engine,
    submit: (_, request) => async () =>
      (await check(request)) ? { _tag: 'Right', right: view.right satisfies ActivityView } : refused,
    query: (_, request) => async () => ((await check(request)) ? who : refused),
  }
}

/** As the engine begins: reads the body strictly, reads the stamp, verifies it in the thread pool. */
const isStamped =
  (signatures: ReturnType<typeof nodeSignatures>) =>
  async ({ headers, body }: Request): Promise<boolean> => {
    const header = headers['x-stamp']
    const stamp = parseStamp(typeof header === 'string' ? header : '')
    if (parseStrict(body)._tag === 'Left' || stamp._tag === 'Left') return false
    return verifyStamp(signatures)(stamp.right, body, 'API_KEY_CURVE_P256')
  }

/** Microseconds of processor time that this process has used, in all its threads. */
const cpu = async (): Promise<number> => {
  const { user, system } = process.cpuUsage()
  return user + system
}

doJobs({ start, cpu }, async () => {
  await running?.server.close()
  await running?.engine.close()
})
