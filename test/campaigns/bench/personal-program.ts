/* Submits notes in a process of its own, with an engine over SQLite and without HTTP, and exports the log. */
import { nodeIds, publicApi } from 'countersign'
import { createEngine, sqliteStore } from 'countersign/fp'
import { generateKey, stamper } from 'countersign/signatures'
import { doJobs } from './child.ts'
import { timed, type Read } from './timed.ts'
import { noteOf, notes, type Place } from './notes.ts'
import { encode, seedOf, stampedBy } from './seed.ts'

export type NotesAsked = { readonly path: string; readonly place: Place; readonly count: number }
export type Noted = { readonly organizationId: string; readonly read: Read }

const IN_FLIGHT = 64

const submit = async ({ path, place, count }: NotesAsked, passed: (done: number) => void): Promise<Noted> => {
  const engine = await createEngine({ store: sqliteStore({ path }), resources: [...publicApi, notes] })
  const key = generateKey('API_KEY_CURVE_P256')
  const { organizationId } = await seedOf(engine, nodeIds().uuid(), key)
  const [stamp, userId, operation] = [stamper(key), nodeIds().uuid(), noteOf(place)]
  const address = place === 'address' ? '192.0.2.7' : null
  const requests = Array.from({ length: count }, (_, n) => {
    const parameters = { userId, text: `the note number ${n}` }
    const body = encode({ type: operation.type, timestampMs: String(Date.now()), organizationId, parameters, nonce: n })
    return { ...stampedBy(stamp, body), address }
  })
  let next = 0
  const worker = async (): Promise<void> => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      const answer = await engine.submit(operation.path, request)()
      if (answer._tag === 'Left') throw new Error(answer.left.message)
      if (next % 1_000 === 0) passed(next)
    }
  }
  const read = await timed(async () => {
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
    return count
  })
  await engine.close()
  return { organizationId, read }
}

doJobs({ submit })
