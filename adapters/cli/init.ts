import { begin } from './begin.ts'
import { isVolatile, openToWrite } from './open-store.ts'
import { print, say } from './print.ts'
import { startEngine } from './start-engine.ts'
import { unusable } from './stop.ts'

export type InitOptions = {
  readonly store: string
  readonly out: string
  readonly organizationName: string
  /** Whether a file of something else at that place may be replaced. */
  readonly force?: boolean
}

/** Begins an organization where the store has none, and writes its root user's credentials. */
export const init = async ({
  store: url,
  out: file,
  organizationName,
  force = false,
}: InitOptions): Promise<number> => {
  if (isVolatile(url))
    throw unusable('a store in memory would be gone at once: begin in sqlite:PATH, or with serve --init')
  const storage = await openToWrite(url)
  const engine = await startEngine(storage, {
    onNotice: ({ level, message }) => void (level === 'info' || say(`countersign: ${message}`)),
  })
  try {
    const { credentials, genesisHash, isNew } = await begin({
      engine,
      store: storage.store,
      file,
      organizationName,
      force,
    })
    const { organizationId, userId } = credentials
    print({ organizationId, userId, genesisHash })
    say(
      isNew
        ? `The root user's credentials are in ${file}. Keep it secret.`
        : `${file} and its organization were there already.`,
    )
    say(`Serve it:  countersign serve --store ${url} --init ${file}`)
    say(`Audit it:  countersign audit --store ${url} --pin ${organizationId}=${genesisHash}`)
    return 0
  } finally {
    await engine.close()
  }
}
