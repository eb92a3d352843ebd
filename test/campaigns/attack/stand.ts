import { copyFile } from 'node:fs/promises'
import { startChild } from '../bench/child.ts'
import type { Seed } from '../bench/seed.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import type { Attack, ServerKind } from './attack.ts'
import type { Preparation } from './attacker-program.ts'
import { startServer, type ServerProcess } from './server-process.ts'

/** Servers with organizations: one that means well, and one for each attack, so that none meets the limits of another. */
export type Stand = {
  /** The server of that kind, which is started when it is first asked for, and again where it has ended. */
  readonly server: (kind: ServerKind) => Promise<ServerProcess>
  /** Ends the server of that kind: the next attack finds a new one. */
  readonly end: (kind: ServerKind) => Promise<void>
  readonly honest: Seed
  /** An attack's own process, with all prepared. */
  readonly attackers: (attack: Attack) => Promise<Attackers>
  readonly close: () => Promise<void>
}

export type Attackers = Pick<ReturnType<typeof startChild>, 'ask' | 'close'>

/** @param from  the folder whose `dist/` serves; this one if not given */
export const stand = async (attacks: readonly Attack[], from?: string): Promise<Stand> => {
  const folder = await temporaryFolder()
  const servers = new Map<ServerKind, ServerProcess>()
  const storeOf = (kind: ServerKind): string => `${folder.path}/${kind}.db`
  const [honest, ...own] = await organizations(storeOf('command'), attacks.length + 1)
  if (honest === undefined) throw new Error('no organization was begun')
  await copyFile(storeOf('command'), storeOf('host')) // the same organizations: one of the servers at a time is attacked
  const server: Stand['server'] = async (kind) => {
    const found = servers.get(kind)
    if (found !== undefined && found.ended() === undefined) return found
    const options = { kind, store: storeOf(kind), folder: folder.path }
    const started = await startServer(from === undefined ? options : { ...options, from })
    servers.set(kind, started)
    return started
  }
  return {
    server,
    end: async (kind) => {
      const found = servers.get(kind)
      servers.delete(kind)
      await found?.close()
    },
    honest,
    attackers: async (attack) => {
      const { url } = await server(attack.server ?? 'command')
      const seed = own.shift()
      if (seed === undefined) throw new Error(`${attack.name} has no organization`)
      const child = startChild(new URL('./attacker-program.ts', import.meta.url))
      const known = { organizationId: honest.organizationId, publicKey: honest.key.publicKey }
      try {
        await child.ask('prepare', { name: attack.name, url, own: seed, known } satisfies Preparation)
      } catch (error) {
        await child.close()
        throw error
      }
      return child
    },
    close: async () => {
      for (const one of servers.values()) await one.close()
      await folder.remove()
    },
  }
}

/** Makes a store with organizations in it: the public API has no way to begin one. */
const organizations = async (path: string, count: number): Promise<readonly Seed[]> => {
  const child = startChild(new URL('../load/server-program.ts', import.meta.url))
  try {
    await child.ask('start', { path })
    return await child.ask<readonly Seed[]>('begin', { organizations: count })
  } finally {
    await child.close()
  }
}
