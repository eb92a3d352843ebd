/** Several emulated nodes that share one log, of which one leads. */
import { randomUUID } from 'node:crypto'
import { until } from '../../../until.ts'
import { startEmulator, writeEpoch, type Emulator, type EmulatorOptions } from './emulator.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import type { FaultName, FaultOptions } from './faults.ts'
import type { Leadership, Member } from './node.ts'

export type ClusterOptions = Omit<EmulatorOptions, 'log' | 'own' | 'leadership' | 'members' | 'port'> & {
  readonly size?: number
}

export type Cluster = {
  /** All nodes; the client looks for the leader. */
  readonly connectionString: string
  readonly nodes: readonly Emulator[]
  /** The number of the node that leads. */
  readonly leader: () => number | undefined
  /** Makes another node the leader, as it happens when one resigns: connections stay. Default: the next one that is alive. */
  readonly elect: (index?: number) => void
  /** Takes the leader away, until `elect`. */
  readonly depose: () => void
  /**
   * Ends a node at once. If it led, the others take it for alive until `depose` or `elect`: they name it, and writes that they hand on are never
   * answered.
   */
  readonly kill: (index: number) => Promise<void>
  /** Starts a node again, as a follower if there is a leader. */
  readonly restart: (index: number) => Promise<void>
  /**
   * Cuts the leader off from the other nodes, but not from clients. It answers reads from what it has, and its writes time out;
   * the others elect a leader. `restart` heals it.
   */
  readonly isolateLeader: () => void
  /** How often nodes have looked who leads: for calls, and for who asked. */
  readonly looks: () => number
  /** Until they have looked so many more times. */
  readonly looked: (times: number) => Promise<void>
  /** Begins a fault on all nodes. */
  readonly fault: (name: FaultName, options?: FaultOptions) => () => void
  readonly log: EventLog
  readonly stop: () => Promise<void>
}

type Place = { readonly id: string; isAlive: boolean; isolated: EventLog | undefined }

export const startCluster = async ({ size = 3, ...options }: ClusterOptions = {}): Promise<Cluster> => {
  const log = createEventLog(options)
  const places: Place[] = Array.from({ length: size }, () => ({ id: randomUUID(), isAlive: true, isolated: undefined }))
  const nodes: Emulator[] = []
  let leader: number | undefined
  let looks = 0

  const isConnected = (place: Place | undefined): boolean => place?.isAlive === true && place.isolated === undefined
  const roleOf = (index: number): Member['role'] =>
    leader === undefined ? 'unknown' : leader === index ? 'leader' : 'follower'
  const leadershipOf = (index: number): Leadership => {
    if (places[index]?.isolated !== undefined) return { role: 'isolated' }
    const node = leader === undefined ? undefined : nodes[leader]
    if (leader === undefined || node === undefined) return { role: 'unknown' }
    if (leader === index) return { role: 'leader' }
    const leaderIsGone = !isConnected(places[leader])
    return { role: 'follower', leader: { host: node.host, port: node.port }, leaderIsGone }
  }
  /** An isolated node still sees what it saw last: itself as the leader. */
  const membersSeenBy = (viewer: number): readonly Member[] => {
    const isAlone = places[viewer]?.isolated !== undefined
    return nodes.map(({ host, port }, index) => ({
      id: places[index]?.id ?? '',
      host,
      port,
      role: isAlone ? (index === viewer ? 'leader' : 'follower') : roleOf(index),
      isAlive: isAlone ? index === viewer : isConnected(places[index]),
    }))
  }

  const elect = (index = places.findIndex((place, at) => at !== leader && isConnected(place))): void => {
    if (places.filter(isConnected).length * 2 <= size || !isConnected(places[index])) return
    leader = index
    log.forgetRecentIds()
    writeEpoch(log)
  }

  for (let index = 0; index < size; index += 1) {
    const looking =
      <A>(see: (index: number) => A) =>
      (): A => {
        looks += 1
        return see(index)
      }
    const [leadership, members] = [looking(leadershipOf), looking(membersSeenBy)]
    nodes.push(await startEmulator({ ...options, log: () => places[index]?.isolated ?? log, leadership, members }))
  }
  elect(0)

  const hosts = nodes.map(({ host, port }) => `${host}:${port}`).join(',')
  return {
    connectionString: `esdb://${hosts}?tls=false&nodePreference=leader`,
    nodes,
    log,
    leader: () => leader,
    elect,
    depose: () => {
      leader = undefined
    },
    kill: async (index) => {
      const place = places[index]
      if (place === undefined) return
      place.isAlive = false
      await nodes[index]?.stop()
    },
    restart: async (index) => {
      const place = places[index]
      if (place === undefined) return
      await nodes[index]?.stop()
      Object.assign(place, { isAlive: true, isolated: undefined })
      await nodes[index]?.start()
      if (leader === undefined) elect(index)
    },
    isolateLeader: () => {
      const place = leader === undefined ? undefined : places[leader]
      if (place === undefined) return
      place.isolated = log.copy()
      elect()
    },
    looks: () => looks,
    looked: async (times) => {
      const goal = looks + times
      await until(() => looks >= goal)
    },
    fault: (name, faultOptions) => {
      const ends = nodes.map((node) => node.fault(name, faultOptions))
      return () => {
        for (const end of ends) end()
      }
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}
