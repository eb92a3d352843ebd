/*
 * The servers of the bench, each in a process of its own: the engine on SQLite, and the same HTTP adapter over an engine that answers
 * everything with one activity: without verifying the stamp; after verifying it; and after appending a commit, too, which is the floor.
 */
import { nodeIds, nodeSignatures, type ActivityView, type Request, type Storage } from 'countersign'
import { type Engine, createEngine, sqliteStore } from 'countersign/fp'
import { httpServer, type HttpServer } from 'countersign/http'
import { generateKey, stamper } from 'countersign/signatures'
import { memoryStore } from 'countersign/store-memory'
import { parseStrict } from '../../../core/json/strict-json.ts'
import { parseApiKeyStamp, verifyApiKeyStamp } from '../../../core/stamp/api-key-stamp.ts'
import { doJobs } from './child.ts'
import { appending } from './floor.ts'
import { renaming, seedOf, stampedBy, type Seed } from './seed.ts'
import { isDurable, type ServerKind } from './server-names.ts'
import { measureUsage, withWorker, type Usage } from './usage.ts'

export type StartServer = { readonly kind: ServerKind; readonly path: string }
export type Started = Seed & { readonly url: string }

type Running = {
  readonly server: HttpServer
  readonly engine: Engine
  readonly floor: Storage | undefined
  /** The thread that writes to the store. */
  readonly writer: string | undefined
}

let running: Running | undefined

const start = async ({ kind, path }: StartServer): Promise<Started> => {
  const memory = memoryStore()
  const { result: durable, thread: writer } = isDurable(kind) ? await withWorker(() => opened(path)) : NO_STORE
  const engine = await createEngine({ store: kind === 'engine' && durable !== undefined ? durable : memory })
  const seed = await seedOf(engine, nodeIds().uuid(), generateKey('API_KEY_CURVE_P256'))
  const floor = kind === 'floor' ? durable : undefined
  const served =
    kind === 'engine' ? engine : await constantly(engine, memory, seed, { verifies: kind !== 'constant', floor })
  const server = httpServer(served)
  running = { server, engine, floor, writer }
  const { url } = await server.listen()
  return { ...seed, url }
}

const NO_STORE = { result: undefined, thread: undefined }

const opened = async (path: string): Promise<Storage> => {
  const storage = await sqliteStore({ path })()
  if (storage._tag === 'Left') throw new Error(storage.left.message)
  return storage.right
}

/** The engine with its answers fixed. Where there is a store, each submit appends a commit to it before it is answered. */
const constantly = async (
  engine: Engine,
  { store: made }: Storage,
  seed: Seed,
  { verifies, floor }: { readonly verifies: boolean; readonly floor: Storage | undefined },
): Promise<Engine> => {
  const stamp = stamper(seed.key)
  const view = await engine.submit('update_user_tag', stampedBy(stamp, renaming(seed, 'fixed')))()
  const who = await engine.query(
    'whoami',
    stampedBy(stamp, new TextEncoder().encode(JSON.stringify({ organizationId: seed.organizationId }))),
  )()
  if (view._tag === 'Left' || who._tag === 'Left') throw new Error('the engine does not answer')
  const signatures = nodeSignatures()
  const append = floor === undefined ? async () => undefined : await appending(made, seed.organizationId, floor.store)
  const check = verifies ? isStamped(signatures) : async () => true
  const refused = { _tag: 'Left', left: { code: 'SIGNATURE_INVALID', message: 'not verified' } } as const
  return {
    ...engine,
    submit: (_, request) => async () => {
      if (!(await check(request))) return refused
      await append()
      return { _tag: 'Right', right: view.right satisfies ActivityView }
    },
    query: (_, request) => async () => ((await check(request)) ? who : refused),
  }
}

/** As the engine begins: reads the body strictly, reads the stamp, verifies it in the thread pool. */
const isStamped =
  (signatures: ReturnType<typeof nodeSignatures>) =>
  async ({ headers, body }: Request): Promise<boolean> => {
    const header = headers['x-stamp']
    const stamp = parseApiKeyStamp(typeof header === 'string' ? header : '')
    if (parseStrict(body)._tag === 'Left' || stamp._tag === 'Left') return false
    return verifyApiKeyStamp(signatures)(stamp.right, body, 'API_KEY_CURVE_P256')
  }

let measured: (() => Usage) | undefined

const begin = async (): Promise<void> => void (measured = measureUsage(running?.writer))

const end = async (): Promise<Usage> => {
  if (measured === undefined) throw new Error('nothing is being measured')
  return measured()
}

doJobs({ start, begin, end }, async () => {
  await running?.server.close()
  await running?.engine.close()
  await running?.floor?.store.close()
})
