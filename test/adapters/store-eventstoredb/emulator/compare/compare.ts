/** Plays the same calls on a server and on the emulator, through the unmodified client, and prints every difference. */
import { randomUUID } from 'node:crypto'
import { EventStoreDBClient } from '@eventstore/db-client'
import { createRecorder, type Line } from './recorder.ts'
import { SCENES } from './all-scenes.ts'

export type Difference = {
  readonly scene: string
  readonly call: string
  readonly first: string
  readonly second: string
}
export type Comparison = { readonly calls: number; readonly differences: readonly Difference[] }

export const compare = async (
  first: string,
  second: string,
  only: readonly string[] = [],
  silenceMs?: number,
): Promise<Comparison> => {
  const differences: Difference[] = []
  let calls = 0
  const scenes = Object.entries(SCENES).filter(([name]) => only.length === 0 || only.includes(name))
  // One after the other: what one client waits for, the end of another one's connection rejects.
  for (const server of [first, second]) await fill(server)
  for (const [scene] of scenes) {
    const [a, b] = [await played(first, scene, silenceMs), await played(second, scene, silenceMs)]
    calls += a.length
    for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
      const [one, two] = [a[index], b[index]]
      if (one?.outcome === two?.outcome) continue
      const call = one?.call ?? two?.call ?? ''
      differences.push({ scene, call, first: one?.outcome ?? 'nothing', second: two?.outcome ?? 'nothing' })
    }
  }
  return { calls, differences }
}

const played = async (connectionString: string, scene: string, silenceMs?: number): Promise<readonly Line[]> => {
  const client = EventStoreDBClient.connectionString(connectionString)
  const recorder = createRecorder(randomUUID().slice(0, 8), scene, silenceMs)
  try {
    await SCENES[scene]?.(client, recorder)
  } finally {
    await client.dispose()
  }
  return recorder.lines()
}

/** So many bytes first that every position is larger than any number of a stream. */
const fill = async (connectionString: string): Promise<void> => {
  const client = EventStoreDBClient.connectionString(connectionString)
  const { event, stream } = createRecorder(randomUUID().slice(0, 8), 'filling')
  await client.appendToStream(stream('s'), [event('a', { data: 'x'.repeat(120_000) })])
  await client.dispose()
}
