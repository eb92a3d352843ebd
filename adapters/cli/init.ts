import { begin, mustBegin } from '../credentials/begin.ts'
import { commandName } from './command-name.ts'
import { isVolatile, writing, type BesideFlags } from './open-store.ts'
import { print, say, sayNotice } from './print.ts'
import { shellWord } from './shell.ts'
import { storeArgument } from './shown-store.ts'
import { startEngine } from './start-engine.ts'
import { unusable } from './stop.ts'

export type InitOptions = BesideFlags & {
  readonly store: string
  /** The file for the credentials. */
  readonly credentials: string
  readonly organizationName: string
  /** Whether a file with another content at that place may be replaced. */
  readonly force?: boolean
}

/** Creates an organization if the store has none, and writes the credentials of its root user. */
export const init = async (options: InitOptions): Promise<number> => {
  const { store: url, credentials: file, organizationName, force = false } = options
  if (isVolatile(url))
    throw unusable('a store in memory would be gone at once: begin in sqlite:PATH, or with serve --init')
  await mustBegin({ file, organizationName, force })
  return writing(url, { onNotice: sayNotice, discard: 'if-empty', beside: options }, async (storage, keep) => {
    const engine = await startEngine(storage, { onNotice: sayNotice })
    try {
      const begun = await begin({ engine, storage, nowMs: Date.now, file, organizationName, force })
      keep()
      const { organizationId, userId } = begun.credentials
      const there = storeArgument(url, options.readModels)
      print({ organizationId, userId, genesisHash: begun.genesisHash })
      say(
        begun.isNew
          ? `The root user's credentials are in ${file}. Keep it secret.`
          : `${file} and its organization were there already.`,
        `Serve it:  ${commandName()} serve${there} --init --credentials ${shellWord(file)}`,
        `Audit it:  ${commandName()} audit${there} --pin ${organizationId}=${begun.genesisHash}`,
      )
      return 0
    } finally {
      await engine.close()
    }
  })
}
