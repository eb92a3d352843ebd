import { keyHeld, type PageKey } from './page-key.ts'

/* What "Keep on this device" keeps: a key that can sign, and that nobody can read. */

/** Who was signed in here, and at which server: another one, which the address may name, must not get stamps of this key. */
export type Kept = {
  /** The URL of the server that the key was kept for: no other one is asked with it. */
  readonly server: string
  readonly organizationId: string
  readonly key: PageKey
  /** When the session ends, in milliseconds since the epoch, if it does. */
  readonly endsAtMs?: number
}

type Stored = Omit<Kept, 'key'> & { readonly publicKey: string; readonly held: CryptoKey }

const STORE = 'keys'

export const keep = async ({ key: { publicKey, held }, ...kept }: Kept): Promise<void> => {
  if (held !== undefined) await within('readwrite', (keys) => keys.put({ ...kept, publicKey, held }, kept.server))
}

/** The key that is kept for a server, unless its session is over; undefined also where the browser keeps nothing. */
export const keptKey = async (server: string, nowMs: number): Promise<Kept | undefined> => {
  const stored = (await within('readonly', (keys) => keys.get(server)).catch(() => undefined)) as Stored | undefined // as `keep` puts it
  if (stored === undefined) return undefined
  const { publicKey, held, ...kept } = stored
  if (kept.endsAtMs !== undefined && kept.endsAtMs <= nowMs) {
    await forget(server, publicKey)
    return undefined
  }
  return { ...kept, key: keyHeld(publicKey, held) }
}

/** Forgets this key. Another tab may have kept that of somebody else meanwhile: it stays. */
export const forget = async (server: string, publicKey: string): Promise<void> => {
  const stored = (await within('readonly', (keys) => keys.get(server))) as Stored | undefined // as `keep` puts it
  if (stored?.publicKey === publicKey) await within('readwrite', (keys) => keys.delete(server))
}

const within = async <A>(
  mode: IDBTransactionMode,
  use: (keys: IDBObjectStore) => IDBRequest<A>,
): Promise<A | undefined> => {
  const database = await opened()
  try {
    const transaction = database.transaction(STORE, mode)
    const request = use(transaction.objectStore(STORE))
    return await new Promise((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the browser keeps nothing')))
    })
  } finally {
    database.close()
  }
}

const opened = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('countersign', 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
    opening.addEventListener('success', () => resolve(opening.result))
    opening.addEventListener('error', () => reject(opening.error ?? new Error('the browser keeps nothing')))
  })
